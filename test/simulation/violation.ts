export class Violation extends Error {}

export const demand = (isTrue: boolean, law: string): void => {
	if (!isTrue) throw new Violation(law);
};
