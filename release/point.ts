import type { Project } from './project';

/** One thing that n8n asks of a package. */
export interface Point {
	/** In our own words. */
	guideline: string;
	/** Where it is asked. */
	link: string;
	check(project: Project): Verdict | Promise<Verdict>;
}

export interface Verdict {
	/** Only `not met` keeps a release back. */
	verdict: 'met' | 'not met' | 'not, on purpose' | 'not applicable' | 'for people';
	/** Where it is met or to be looked at, or why it is not met. */
	because: string;
	/** What to do, one line each; only where the verdict is `not met`. */
	missing: string[];
}

export const met = (where: string): Verdict => ({ verdict: 'met', because: where, missing: [] });

/** Met where nothing is missing. */
export const metUnless = (missing: string[], where: string): Verdict =>
	missing.length === 0
		? met(where)
		: { verdict: 'not met', because: where, missing: [...new Set(missing)] };

/** @param why the reason stands, and n8n's reviewers are told it */
export const onPurpose = (why: string): Verdict => ({
	verdict: 'not, on purpose',
	because: why,
	missing: [],
});

export const notApplicable = (why: string): Verdict => ({
	verdict: 'not applicable',
	because: why,
	missing: [],
});

/** @param evidence what a person looks at to judge it */
export const forPeople = (evidence: string): Verdict => ({
	verdict: 'for people',
	because: evidence,
	missing: [],
});
