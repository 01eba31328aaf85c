import type { TopLevelSpec } from 'vega-lite';
import { readSpread } from './rounds';
import type { Measurement, Picture } from './workload';

type Table = Pick<Measurement, 'columns' | 'rows'>;

/** Pixels of a picture's bars, from left to right and of one. */
const width = 560;
const step = 24;

interface Bar {
	/** What stands at the bar, and above those that belong together. */
	label: string;
	group: string;
	column: string;
	value: number;
	low: number;
	high: number;
	text: string;
	/** Whether it is this package's, where there are others. */
	isOurs: boolean;
}

/** A picture of figures that stand in a table, as Vega-Lite. */
export const pictureOf = (table: Table, picture: Picture): TopLevelSpec =>
	picture.stacked ? stackedBars(table, picture) : plainBars(table, picture);

/** A bar for each figure, with its smallest and largest. */
function plainBars(table: Table, { columns, labels = 1, sameScale }: Picture): TopLevelSpec {
	const bars = columns.flatMap((column) => readBars(table, column, labels));
	const hasGroups = labels > 1;
	const groups = [...new Set(bars.map(({ group }) => group))];
	const pictures = columns.map((column) => ({
		...(hasGroups && {
			facet: {
				row: { field: 'group', type: 'nominal', sort: groups, title: null, header: groupHeader },
			},
			spacing: 16,
		}),
		...inside(hasGroups, {
			width: width / columns.length,
			height: { step },
			transform: [{ filter: { field: 'column', equal: column } }],
			encoding: {
				y: { field: 'label', type: 'nominal', sort: null, title: null, axis: { labelLimit: 260 } },
			},
			layer: layers(column, sameScale ? bars : bars.filter((bar) => bar.column === column)),
		}),
	}));
	return { data: { values: bars }, hconcat: pictures } as unknown as TopLevelSpec;
}

const groupHeader = {
	labelAngle: 0,
	labelAlign: 'left',
	labelAnchor: 'start',
	labelOrient: 'top',
	labelPadding: 2,
};

/** What a table's narrow columns say shortly. */
const units: Record<string, string> = { s: 'seconds', ms: 'milliseconds' };

const inside = (hasGroups: boolean, spec: object) => (hasGroups ? { spec } : spec);

/** @param beside all that the scale is for */
function layers(column: string, beside: Bar[]): object[] {
	const most = Math.max(...beside.map(({ high }) => high));
	// Room for the figure behind the longest bar.
	const scale = { domain: [0, (most || 1) * 1.25], nice: false };
	const x = { field: 'value', type: 'quantitative', title: units[column] ?? column, scale };
	const end = { field: 'high', type: 'quantitative', scale };
	return [
		{
			mark: { type: 'bar', height: { band: 0.7 } },
			encoding: {
				x,
				color: {
					field: 'isOurs',
					type: 'nominal',
					scale: { domain: [true, false] },
					legend: null,
				},
			},
		},
		{
			mark: { type: 'rule', strokeWidth: 1.5 },
			encoding: { x: { field: 'low', type: 'quantitative', scale }, x2: { field: 'high' } },
		},
		{
			mark: { type: 'text', align: 'left', dx: 5 },
			encoding: { x: end, text: { field: 'text', type: 'nominal' } },
		},
	];
}

/** The figures of a row, or of a column, one behind the other. */
function stackedBars(table: Table, { columns, stacked, unit }: Picture): TopLevelSpec {
	const bars = columns.flatMap((column) => readBars(table, column, 1));
	const [bar, part] = stacked === 'rows' ? ['column', 'label'] : ['label', 'column'];
	const parts = [...new Set(bars.map((each) => (part === 'label' ? each.label : each.column)))];
	const values = bars.map((each) => ({ ...each, place: parts.indexOf(each[part as 'label']) }));
	return {
		data: { values },
		width,
		height: { step },
		mark: { type: 'bar', height: { band: 0.7 } },
		encoding: {
			y: { field: bar, type: 'nominal', sort: null, title: null, axis: { labelLimit: 260 } },
			x: { field: 'value', type: 'quantitative', title: unit ?? null },
			color: { field: part, type: 'nominal', sort: parts, title: null, scale: { domain: parts } },
			order: { field: 'place', type: 'quantitative' },
		},
	} as unknown as TopLevelSpec;
}

/** @param labels how many of the first columns say what a row is; an empty one is as above */
function readBars({ columns, rows }: Table, column: string, labels: number): Bar[] {
	const place = columns.indexOf(column);
	if (place === -1) throw new Error(`The table has no column '${column}'`);
	const isCompared = rows.some((row) => row.slice(0, labels).some(isOfThisPackage));
	// A bare number says nothing without what it counts.
	const withTitle = (name: string, index: number) =>
		/^[\d,.]+$/.test(name) ? `${columns[index]}: ${name}` : name;
	let above: string[] = [];
	return rows.flatMap((row) => {
		const names = row.slice(0, labels).map((name, index) => name || above[index] || '');
		above = names;
		const text = row[place] ?? '';
		const figures = readSpread(text);
		if (!figures) return [];
		return {
			label: names.at(-1) ?? '',
			group: names.slice(0, -1).map(withTitle).join(', '),
			column,
			...figures,
			text: text.replace(/ \(.*/, ''),
			isOurs: !isCompared || names.some(isOfThisPackage),
		};
	});
}

const isOfThisPackage = (name: string): boolean =>
	/^(this (package|trigger)|with keys)\b/.test(name);
