/** Questions with any values in their fields, and any requests to their pages. */
import { startWaiting } from '../engine/harness';
import { useGateway } from '../engine/action/support';
import { checkSecrets, checkStop, secretsOf, shownOf } from './support/checks';
import { Finding, fuzz } from './support/fuzz';
import { refusedByN8n } from './support/parameterCases';
import { askingOf, questionCases } from './support/questionCases';

const gateway = useGateway();

fuzz(
	'questions',
	questionCases,
	async (given) => {
		const { body, language } = given;
		gateway.sandbox.reset();
		const starting = startWaiting({
			...askingOf(given),
			credential: { ...gateway.sandbox.credential, maxRetries: 0 } as never,
		});
		const asked = await starting.catch(refusedByN8n);
		if (!asked) return;
		try {
			const { run } = asked;
			checkStop(run);
			const requests = gateway.sandbox.requests();
			const invalid = requests.flatMap(({ violations }) => violations);
			// Which types there are is open, so more digits leave; the sandbox refuses them.
			const isOnlyType = invalid.every(({ loc }) => loc.join('.') === 'body.tiposms');
			if (invalid.length > 0 && isOnlyType) return;
			if (invalid.length > 0) {
				throw new Finding('forbidden requests', JSON.stringify(requests).slice(0, 2_000));
			}
			const isWaiting = run.status === 'waiting';
			if (isWaiting !== (requests.length === 1)) {
				throw new Finding('other findings', `${run.status} after ${requests.length} requests`);
			}
			checkSecrets(secretsOf(gateway.sandbox), ...shownOf(run));
			if (!isWaiting) return;

			const link = gateway.sandbox.accepted()[0]!.text.split('\n').at(-1)!;
			const headers = { 'accept-language': language };
			const page = await asked.open(link, { headers });
			const posted = await asked.open(link, {
				method: 'POST',
				body: body.text,
				headers: { ...headers, 'content-type': body.type },
			});
			if (page.status !== 200 || ![200, 422].includes(posted.status)) {
				throw new Finding('raw crashes', `${page.status}, ${posted.status}: ${posted.body}`);
			}
			if (posted.status === 200 && asked.resumed.length !== 1) {
				throw new Finding('other findings', `Went on ${asked.resumed.length} times`);
			}
			for (const html of [page.body, posted.body]) checkPage(html);
			checkSecrets(secretsOf(gateway.sandbox), page.body, posted.body, asked.resumed);
		} finally {
			await asked.close();
		}
	},
	{ share: 0.5 },
);

/** The page contains only its own tags. */
function checkPage(html: string): void {
	const known =
		/^\/?(html|head|meta|title|style|body|main|h1|p|strong|form|button|label|textarea)( [^<>]*)?$/;
	const tags = html
		.replace(/^<!doctype html>/, '')
		.split('<')
		.slice(1)
		.map((tag) => tag.split('>', 1)[0]!);
	for (const tag of tags) {
		if (!known.test(tag) || /\son\w+=|script/i.test(tag.replace(/content="[^"]*"/, ''))) {
			throw new Finding('other findings', `A tag of somebody else's: ${tag}`);
		}
	}
}
