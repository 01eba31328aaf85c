/** Questions: what is asked, shown, accepted as an answer and output, also across both packages. */
import fc from 'fast-check';
import { useGateway } from '../engine/action/support';
import { startWaiting } from '../engine/harness';
import { askingOf, questionCases } from '../fuzz/support/questionCases';
import { compare, runOf, type Copy } from './worlds';

const gateway = useGateway();
const copy = fc.constantFrom<Copy>(0, 1);

compare(
	'questions',
	fc.record({ given: questionCases, copies: fc.tuple(copy, copy, copy, copy) }),
	async ({ given, copies }, { use }) => {
		gateway.sandbox.reset();
		use(copies[0]);
		const asked = await startWaiting({
			...askingOf(given),
			executionId: '1',
			instanceUrl: 'http://localhost:5678',
			credential: gateway.sandbox.credential as never,
		});
		try {
			const pages: unknown[] = [];
			const link = gateway.sandbox.accepted()[0]?.text.split('\n').at(-1);
			const open = async (taken: Copy, request: RequestInit & { headers: object }) => {
				use(taken);
				const { status, headers, body } = await asked.open(link!, request);
				const shown = Object.fromEntries(headers);
				delete shown.date;
				pages.push({ status, shown, body });
			};
			const headers = { 'accept-language': given.language };
			const { text: body, type } = given.body;
			if (link) {
				const post = { method: 'POST', body, headers: { ...headers, 'content-type': type } };
				await open(copies[1], { headers });
				await open(copies[2], post);
				await open(copies[3], post);
				use(copies[3]);
			}
			const { resumed, run } = asked;
			const end = link ? await asked.resume() : undefined;
			const requests = gateway.sandbox.requests().map(({ path, headers: sent, body: what }) => {
				return { path, sent, what };
			});
			return { requests, run: runOf(run), pages, resumed, end };
		} finally {
			await asked.close();
		}
	},
	{ share: 0.08, worldCount: 4 },
);
