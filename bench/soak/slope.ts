/** A straight line through points, by least squares. */
export interface Slope {
	/** Of y per x. */
	perX: number;
	/** Standard error of it. */
	error: number;
}

export function slopeOf(points: Array<[x: number, y: number]>): Slope {
	const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
	const x = mean(points.map(([each]) => each));
	const y = mean(points.map(([, each]) => each));
	const sumOf = (square: (dx: number, dy: number) => number) =>
		points.reduce((sum, [px, py]) => sum + square(px - x, py - y), 0);
	const spread = sumOf((dx) => dx * dx);
	const perX = sumOf((dx, dy) => dx * dy) / spread;
	const rest = sumOf((dx, dy) => (dy - perX * dx) ** 2);
	return { perX, error: Math.sqrt(rest / (points.length - 2) / spread) };
}
