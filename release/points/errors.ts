import { ux } from '../links';
import { met, metUnless, type Point } from '../point';
import type { Project } from '../project';

/** What people read when something is refused: the tests take every text down. */
export const errors: Point[] = [
	{
		guideline: 'What happened, and how to go on',
		link: ux('general-philosophy'),
		check: (project) =>
			metUnless(
				errorsOf(project, /explain|refusals/) // a credential test has a single line, its message
					.filter(({ description }) => description === '')
					.map(({ message }) => `no way on: ${message}`),
				snapshots(project).join(', '),
			),
	},
	{
		guideline: 'The field that is wrong is named as it is labelled',
		link: ux('error-message-what-happened'),
		check: (project) =>
			metUnless(
				errorsOf(project, /refusals/)
					.filter(({ message, description }) => !/'[A-Z]/.test(message + description))
					.map(({ message }) => `names no field: ${message}`),
				'test/unit/operations/refusals.test.ts',
			),
	},
	{
		guideline: 'The item is named: [Item 3]',
		link: ux('error-message-what-happened'),
		check({ files }) {
			const name = 'nodes/gateway/errors.ts';
			return /\bitemIndex\b/.test(files[name] ?? '')
				? met(`n8n's editor adds it from the error's itemIndex; ${name}`)
				: metUnless([`${name} gives errors no itemIndex`], name);
		},
	},
	{
		guideline: "Without the words 'error', 'problem', 'failure' and 'mistake'",
		link: ux('error-description-how-to-solve-or-get-unstuck'),
		check: (project) =>
			metUnless(
				errorsOf(project)
					.map(({ message, description }) =>
						`${message} ${description}`.replace(/"[^"]*"|'[^']*'/g, ''),
					)
					.filter((text) => /\b(error|problem|failure|mistake)s?\b/i.test(text)),
				snapshots(project).join(', '),
			),
	},
];

const snapshots = ({ files }: Project): string[] =>
	Object.keys(files).filter((name) =>
		/(explain|refusals|credentialTest)\.test\.ts\.snap$/.test(name),
	);

/** Of the tests' snapshots, which write an error as `"message | description"`. */
function errorsOf(project: Project, test = /./): Array<{ message: string; description: string }> {
	const texts = snapshots(project)
		.filter((name) => test.test(name))
		.flatMap((name) =>
			[...project.files[name]!.matchAll(/= `"([\s\S]*?)"`;$/gm)].map(([, text]) => text!),
		);
	return [...new Set(texts)]
		.filter((text) => text !== 'is sent')
		.map((text) => {
			const [message = '', ...description] = text.split(' | ');
			return { message, description: description.join(' | ') };
		});
}
