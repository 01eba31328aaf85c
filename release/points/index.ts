import type { Point } from '../point';
import { code } from './code';
import { documentation } from './documentation';
import { errors } from './errors';
import { forms } from './forms';
import { publishing } from './publishing';
import { structure } from './structure';
import { submission } from './submission';
import { texts } from './texts';
import { version } from './version';

export interface Group {
	title: string;
	points: Point[];
}

/** Every point, in the order in which they are told. */
export const groups: Group[] = [
	{ title: 'Verification: where the package comes from', points: publishing },
	{ title: 'Verification: what kind of package it is', points: submission },
	{ title: 'Verification and code standards: the code', points: code },
	{ title: 'Verification: documentation', points: documentation },
	{ title: 'UX: credentials, structure, output', points: structure },
	{ title: 'UX: texts', points: texts },
	{ title: 'UX: errors', points: errors },
	{ title: 'Node UI design', points: forms },
	{ title: 'This version', points: version },
];
