import { createHash } from 'node:crypto';
import fc from 'fast-check';

import { phrases } from '../../../nodes/question/languages';
import {
	contentSecurityPolicy,
	escapeHtml,
	noticePage,
	questionPage,
	recordedPage,
	style,
} from '../../../nodes/question/page';
import { readReply, type Form } from '../../../nodes/question/question';

const languages = Object.keys(phrases);

/** Texts as people and attackers write them. */
const text = fc.oneof(
	fc.string({ unit: 'binary' }),
	fc.string({ unit: fc.constantFrom('<', '>', '"', "'", '&', 'a', '/', '=', ' ', '\n', '`') }),
	fc.constantFrom(
		'</p></main><script>alert(1)</script>',
		'" onclick="alert(1)" x="',
		"' autofocus onfocus=alert(1) '",
		'</textarea><img src=x onerror=alert(1)>',
		'</title><meta http-equiv=refresh content=0>',
		...['<!--', ']]>', '&lt;b&gt;', 'javascript:alert(1)', '\u202eevil\u202c', '\u0000'],
	),
);

const forms = (of: (index: number) => string): Form[] => [
	{ type: 'approval', approve: of(1) },
	{ type: 'approval', approve: of(1), disapprove: of(2) },
	{ type: 'choice', labels: [of(1), of(2), of(3)] },
	{ type: 'freeText' },
];

/** A placeholder that escaping does not change. */
const marker = (index: number) => `marker-${index}-of-the-author`;

test('questions, titles and labels change nothing but their text', () => {
	fc.assert(
		fc.property(
			fc.array(text, { minLength: 5, maxLength: 5 }),
			fc.constantFrom(...languages),
			(of, language) => {
				forms((index) => of[index]!).forEach((form, index) => {
					const page = questionPage({ title: `${of[0]}.`, message: of[4]!, form }, language);
					const marked = { message: marker(4), form: forms(marker)[index]! };
					const plain = questionPage({ title: `${marker(0)}.`, ...marked }, language);
					const filled = of.reduce(
						(html, each, place) => html.replaceAll(marker(place), () => escapeHtml(each)),
						plain,
					);
					expect(page).toBe(filled);
				});
			},
		),
		{ numRuns: 100 },
	);
});

test('an escaped text has nothing that HTML reads, and stays the text', () => {
	const unescape = (html: string) =>
		html.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
	fc.assert(
		fc.property(text, (each) => {
			expect(escapeHtml(each)).not.toMatch(/[<>"']|&(?!#\d+;)/);
			expect(unescape(escapeHtml(each))).toBe(each);
		}),
	);
});

test.each(forms(marker))('the controls of %j', (form) => {
	const page = questionPage({ title: marker(0), message: marker(4), form }, 'en');
	expect(/<h1[^]*<\/form>/.exec(page)?.[0]).toMatchSnapshot();
});

test('the page of a notice is a whole document', () => {
	expect(noticePage(phrases.en!.expired, 'en').replace(style, '…')).toMatchSnapshot();
});

/** Returns what the page says after the form was posted with this answer. */
function recorded(form: Form, answer: string, language = 'pt-BR'): string {
	const page = recordedPage(form, readReply(form, { answer })!, language);
	return /<main>\n([^]*)\n<\/main>/.exec(page)![1]!;
}

/** Begins a text of the author or of the person, whose language nobody knows. */
const own = ' lang="" dir="auto">';

test.each<[Form, string, string]>([
	[{ type: 'approval', approve: 'Approve' }, 'approve', '>Aprovar'],
	[{ type: 'approval', approve: 'Approve', disapprove: 'Decline' }, 'disapprove', '>Recusar'],
	[{ type: 'approval', approve: 'Approve', disapprove: '<No>' }, 'approve', `${own}Approve`],
	[{ type: 'approval', approve: 'Yes', disapprove: '<No>' }, 'disapprove', `${own}&#60;No&#62;`],
	[{ type: 'choice', labels: ['Approve', 'Noon & after'] }, '1', `${own}Noon &#38; after`],
	[{ type: 'freeText' }, ' <b>12</b>\r\nOk ', `${own}&#60;b&#62;12&#60;/b&#62;\nOk`],
])('after the answer, the page of %j repeats %j', (form, answer, repeated) => {
	expect(recorded(form, answer)).toBe(
		`<h1>Resposta registrada</h1><blockquote tabindex="0"${repeated}</blockquote><p>Você já pode fechar esta página.</p>`,
	);
});

describe.each(languages)('in %s', (language) => {
	const own = phrases[language]!;

	test('labels that nobody has changed are its own words, and others the author’s', () => {
		const { approve, disapprove } = own.buttons;
		const labelsOf = (form: Form) => {
			const page = questionPage({ title: '', message: '?', form }, language);
			return [...page.matchAll(/<button ([^>]*)>(.*?)<\/button>/g)].map(([, of, label]) => [
				label,
				of!.includes('lang'),
			]);
		};
		const standard: Form = { type: 'approval', approve: 'Approve', disapprove: 'Decline' };
		expect(labelsOf(standard)).toEqual([approve, disapprove].map((label) => [label, false]));
		expect(labelsOf({ type: 'approval', approve: 'Approve' })).toEqual([[approve, false]]);
		for (const form of [
			{ ...standard, disapprove: 'No' },
			{ type: 'choice', labels: ['Approve', 'No'] },
		] as Form[]) {
			expect(labelsOf(form)).toEqual(['Approve', 'No'].map((label) => [label, true]));
		}
	});

	test('without a title it has its own', () => {
		const page = questionPage({ title: '', message: '?', form: { type: 'freeText' } }, language);
		expect(page).toMatch(new RegExp(`^<!doctype html>\n<html lang="${language}">`));
		expect(page).toContain(`<title>${own.title}</title>`);
		expect(page).toContain(`<h1>${own.title}</h1>`);
	});
});

test('the policy allows the style of the page, and nothing else', () => {
	const page = noticePage(phrases.en!.closed, 'en');
	const [, inPage] = /<style>([^]*)<\/style>/.exec(page)!;
	expect(inPage).toBe(style);
	const hash = createHash('sha256').update(inPage!).digest('base64');
	expect(contentSecurityPolicy).toEqual([
		"default-src 'none'",
		`style-src 'sha256-${hash}'`,
		"form-action 'self'",
		"base-uri 'none'",
	]);
	const [, inMeta] = /Content-Security-Policy" content="([^"]*)"/.exec(page)!;
	expect(inMeta).toBe(contentSecurityPolicy.join('; '));
	expect(page.match(/<(script|link|img|iframe|object|embed|base)\b/)).toBeNull();
});
