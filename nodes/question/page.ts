import { hash } from 'crypto';

import { phrases, type Phrases } from './languages';
import {
	buttonsOf,
	replyField,
	maxAnswerLength,
	type AskedQuestion,
	type Form,
	type PostedAnswer,
} from './question';

/** The style is for small phones, light and dark, and loads nothing. */
export const style = `
:root { color-scheme: light dark; --ink: #1b1b1f; --paper: #ffffff; --line: #6f7076; --accent: #0b57d0; --on-accent: #ffffff; }
@media (prefers-color-scheme: dark) {
	:root { --ink: #e6e6ea; --paper: #131316; --line: #94959c; --accent: #a8c7fa; --on-accent: #06306f; }
}
* { box-sizing: border-box; }
html { background: var(--paper); color: var(--ink); font: 1.125rem/1.5 system-ui, sans-serif; -webkit-text-size-adjust: 100%; }
body { margin: 0; padding: 1.25rem 1rem 2rem; }
main { max-width: 32rem; margin: 0 auto; overflow-wrap: anywhere; }
h1 { font-size: 1.375rem; line-height: 1.3; margin: 0 0 1rem; }
p { margin: 0 0 1rem; }
.question, blockquote { white-space: pre-wrap; }
blockquote { margin: 0 0 1rem; padding: 0.5rem 0.75rem; border-left: 4px solid var(--accent); max-height: 50vh; overflow-y: auto; }
label { display: block; font-weight: 600; margin: 0 0 0.25rem; }
textarea, button { width: 100%; font: inherit; color: inherit; border: 2px solid var(--line); border-radius: 0.5rem; padding: 0.75rem; }
textarea { display: block; background: transparent; min-height: 7rem; resize: vertical; }
button { display: block; margin: 0.75rem 0 0; min-height: 3.25rem; background: transparent; font-weight: 600; overflow-wrap: anywhere; cursor: pointer; }
button.main { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
:focus-visible { outline: 3px solid var(--ink); outline-offset: 3px; }
`;

/** The policy allows this style only: no script, no image, no frame around the page. */
export const contentSecurityPolicy = [
	"default-src 'none'",
	`style-src 'sha256-${hash('sha256', style, 'base64')}'`,
	"form-action 'self'",
	"base-uri 'none'",
];

export function questionPage(
	{ title, message, form }: Pick<AskedQuestion, 'title' | 'message' | 'form'>,
	language: string,
): string {
	const pagePhrases = phrases[language]!;
	const [shown, of] = title === '' ? [pagePhrases.title, ''] : [title, ` ${userTextAttributes}`];
	return renderPage(language, shown, [
		`<h1${of}>${escapeHtml(shown)}</h1>`,
		`<p class="question" ${userTextAttributes}>${escapeHtml(message)}</p>`,
		// The form has no `action`, so it posts to the page's own address with its signature.
		`<form method="post">${controls(form, pagePhrases)}</form>`,
	]);
}

export function noticePage(text: string, language: string, quotation = ''): string {
	const [heading = '', sentence = ''] = text.split('. ');
	const content = `<h1>${escapeHtml(heading)}</h1>${quotation}<p>${escapeHtml(sentence)}</p>`;
	return renderPage(language, heading, [content]);
}

export function recordedPage(form: Form, answer: PostedAnswer, language: string): string {
	const [shown, of] = shownLabel(form, answer, phrases[language]!);
	// A long answer scrolls, and the keyboard scrolls only what has the focus.
	const quotation = `<blockquote tabindex="0"${of}>${escapeHtml(shown)}</blockquote>`;
	return noticePage(phrases[language]!.recorded, language, quotation);
}

/** The attributes of texts by people: their language is unknown, the direction follows from the letters. */
const userTextAttributes = 'lang="" dir="auto"';

function renderPage(language: string, title: string, content: string[]): string {
	return [
		'<!doctype html>',
		`<html lang="${language}">`,
		'<head>',
		'<meta charset="utf-8">',
		// n8n replaces our header with its own where it sends the page itself.
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

function controls(form: Form, pagePhrases: Phrases): string {
	const buttons = buttonsOf(form)?.map((button) => {
		const kind = button.reply.approved ? ' class="main"' : '';
		const [shown, of] = shownLabel(form, button, pagePhrases);
		return `<button name="${replyField}" value="${button.value}"${kind}${of}>${escapeHtml(shown)}</button>`;
	});
	const field = [
		`<label for="answer">${escapeHtml(pagePhrases.field)}</label>`,
		`<textarea id="answer" name="${replyField}" rows="4" maxlength="${maxAnswerLength}" required dir="auto"></textarea>`,
		`<button class="main">${escapeHtml(pagePhrases.send)}</button>`,
	];
	return (buttons ?? field).join('');
}

/** Returns an answer as the page shows it, and its attributes. */
function shownLabel(form: Form, answer: PostedAnswer, { buttons }: Phrases): [string, string] {
	// Labels that nobody has changed are words of the page. With one of the author's, both stay in one language.
	const isOwn = buttonsOf(form)?.every(({ value, label }) => label === phrases.en!.buttons[value]);
	return isOwn ? [buttons[answer.value]!, ''] : [answer.label, ` ${userTextAttributes}`];
}

/** Returns a text that is safe between tags and in quoted attributes. */
export const escapeHtml = (text: string): string =>
	text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
