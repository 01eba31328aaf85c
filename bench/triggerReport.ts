import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { pictureOf } from './picture';
import { docs, plot } from './plot';
import { loadResults, table } from './report';

/** How often the ways take turns, and deliveries to each in a turn. */
export const usual = { rounds: 6, perRound: 200 };

/** Deliveries under way. */
export const atOnce = 50;

/** Writes the page and its picture from the last result; nothing where there is none. */
export async function writeTriggerReport(folder = docs): Promise<void> {
	const { trigger } = loadResults();
	if (!trigger) return;
	const { columns, rows, environment, date } = trigger;
	const picture = await plot(
		'bench-trigger',
		'Answers per second of this trigger and of the Webhook node. The figures are in the table above.',
		pictureOf(trigger, { columns: ['answers per second'], labels: 2 }),
		folder,
	);
	const sections = [
		'# Benchmark of the trigger',
		introduction,
		table(columns, rows),
		picture,
		explanation,
		table(['', ''], Object.entries({ ...environment, Date: date })),
	];
	writeFileSync(path.join(folder, 'benchmarks-trigger.md'), `${sections.join('\n\n')}\n`);
}

const introduction = `
Written by \`npm run bench:trigger\`, after \`npm run build\`. ${(usual.rounds * usual.perRound).toLocaleString('en')} deliveries to this trigger and as many to n8n's own
Webhook node, which answers immediately too; ${atOnce} at a time, in the same n8n and in turns of ${usual.perRound}. Each turn
begins when the executions of the one before have ended. Both workflows have one more node, which does
nothing. Each delivery was answered 200 and executed once. Rates are medians of the ${usual.rounds} turns. The
aim is a ratio of at least 0.95.
`.trim();

const explanation = `
n8n 2.40 makes a sandbox for expressions (a V8 isolate) for each webhook request and each execution,
whether there is an expression or not. For its own Webhook node, and for that type only, it leaves out the
one of the request (\`webhookPhaseNeedsIsolate\` in n8n's live-webhooks.ts): no other trigger can reach its
rate in an n8n as it comes. \`N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE=true\` makes n8n create the sandbox only
where there is an expression to evaluate; that speeds up both.
`.trim();
