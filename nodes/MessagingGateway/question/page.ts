import { answerField, approval, longestText, type Flaw } from './answer';
import type { AskedQuestion, Form } from './question';
import { contentSecurityPolicy, style } from './style';
import { texts, type Notice, type Texts } from './texts';

/** The page with the question. GET shows it; only what its form posts is an answer. */
export function questionPage(
	{ title, message, form }: Pick<AskedQuestion, 'title' | 'message' | 'form'>,
	language: string,
	flaw?: Flaw,
): string {
	const own = texts[language]!;
	const explanation = flaw ? explain(flaw, form, own) : '';
	// A screen reader begins with the title.
	return page(language, [explanation, title || own.title].filter(Boolean).join(' '), [
		title === ''
			? `<h1>${escapeHtml(own.title)}</h1>`
			: `<h1 ${ofTheAuthor}>${escapeHtml(title)}</h1>`,
		`<p class="question" ${ofTheAuthor}>${escapeHtml(message)}</p>`,
		flaw ? `<p class="flaw" id="flaw">${escapeHtml(explanation)}</p>` : '',
		// Without an address it goes to the page's own, signature and all.
		`<form method="post">${controls(form, own, flaw)}</form>`,
	]);
}

export function noticePage({ title, text }: Notice, language: string): string {
	return page(language, title, [`<h1>${escapeHtml(title)}</h1>`, `<p>${escapeHtml(text)}</p>`]);
}

/** A text of the workflow's author: nobody knows its language, and its letters tell its direction. */
const ofTheAuthor = 'lang="" dir="auto"';

function page(language: string, title: string, content: string[]): string {
	return [
		'<!doctype html>',
		`<html lang="${language}">`,
		'<head>',
		'<meta charset="utf-8">',
		// n8n puts a policy of its own in place of ours where it sends the page itself.
		`<meta http-equiv="Content-Security-Policy" content="${contentSecurityPolicy.join('; ')}">`,
		'<meta name="viewport" content="width=device-width, initial-scale=1">',
		'<meta name="robots" content="noindex, nofollow">',
		'<meta name="referrer" content="no-referrer">',
		'<meta name="format-detection" content="telephone=no">',
		`<title>${escapeHtml(title)}</title>`,
		`<style>${style}</style>`,
		'</head>',
		'<body>',
		'<main>',
		...content,
		'</main>',
		'</body>',
		'</html>',
		'',
	].join('\n');
}

function controls(form: Form, own: Texts, flaw: Flaw | undefined): string {
	switch (form.type) {
		case 'approval':
			return [
				button(approval.approve, form.approve, 'main'),
				...(form.disapprove === undefined ? [] : [button(approval.disapprove, form.disapprove)]),
			].join('');
		case 'choice':
			return form.labels.map((label, index) => button(String(index), label)).join('');
		case 'freeText':
			return [
				`<label for="answer">${escapeHtml(own.field)}</label>`,
				`<textarea id="answer" name="${answerField}" rows="4" maxlength="${longestText}" required dir="auto"${flaw ? ' aria-invalid="true" aria-describedby="flaw" autofocus' : ''}></textarea>`,
				`<button class="main">${escapeHtml(own.send)}</button>`,
			].join('');
	}
}

const button = (value: string, label: string, kind = ''): string =>
	`<button name="${answerField}" value="${value}"${kind && ` class="${kind}"`} ${ofTheAuthor}>${escapeHtml(label)}</button>`;

function explain(flaw: Flaw, form: Form, { missing, tooLong }: Texts): string {
	if (flaw === 'tooLong') return tooLong;
	return form.type === 'freeText' ? missing.text : missing.choice;
}

const entities: Record<string, string> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
	"'": '&#39;',
};

/** A text as it can stand between tags and in quoted attributes. */
export const escapeHtml = (text: string): string =>
	text.replace(/[&<>"']/g, (character) => entities[character]!);
