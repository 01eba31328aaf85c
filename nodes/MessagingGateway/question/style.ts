import { createHash } from 'crypto';

/** For the smallest phones, by day and by night. Nothing is loaded. */
export const style = `
:root { color-scheme: light dark; --ink: #1b1b1f; --paper: #ffffff; --line: #6f7076; --accent: #0b57d0; --on-accent: #ffffff; --alarm: #b3261e; }
@media (prefers-color-scheme: dark) {
	:root { --ink: #e6e6ea; --paper: #131316; --line: #94959c; --accent: #a8c7fa; --on-accent: #06306f; --alarm: #f2b8b5; }
}
* { box-sizing: border-box; }
html { background: var(--paper); color: var(--ink); font: 1.125rem/1.5 system-ui, sans-serif; -webkit-text-size-adjust: 100%; }
body { margin: 0; padding: 1.25rem 1rem 2rem; }
main { max-width: 32rem; margin: 0 auto; overflow-wrap: anywhere; }
h1 { font-size: 1.375rem; line-height: 1.3; margin: 0 0 1rem; }
p { margin: 0 0 1rem; }
.question { white-space: pre-wrap; }
.flaw { color: var(--alarm); font-weight: 600; }
label { display: block; font-weight: 600; margin: 0 0 0.25rem; }
textarea, button { width: 100%; font: inherit; color: inherit; border: 2px solid var(--line); border-radius: 0.5rem; padding: 0.75rem; }
textarea { display: block; background: transparent; min-height: 7rem; resize: vertical; }
button { display: block; margin: 0.75rem 0 0; min-height: 3.25rem; background: transparent; font-weight: 600; overflow-wrap: anywhere; cursor: pointer; }
button.main { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
:focus-visible { outline: 3px solid var(--ink); outline-offset: 3px; }
`;

/** Lets this style in, and nothing else: no script, no image, no frame around it. */
export const contentSecurityPolicy = [
	"default-src 'none'",
	`style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
	"form-action 'self'",
	"base-uri 'none'",
];

/** What a page cannot ask for by itself. */
export const headerOnlyPolicy = ["frame-ancestors 'none'"];
