/**
 * Approval that reminds and asks somebody else: the open question counts and no other, through late answers,
 * kills, repetitions and n8n's Retry. Its hours are seconds here.
 */
import { until } from '../../tools/host/until';
import { runningClock } from '../e2e/environment';
import { ana, bruno, carla, enter, Example, parametersOf } from '../e2e/examples/example';
import { rowsOf } from '../e2e/examples/tables';
import { useOwnHost } from '../e2e/sharedHost';
import { answer, linksTo, open } from '../e2e/wait/question';

const [customer, office] = [bruno, '+5541977776666'];
const [never, soon] = [3_600, 1]; // seconds until the next question

const host = useOwnHost();

/** An order whose approval is asked for. */
class Order {
	executions: string[] = [];

	private constructor(
		readonly id: string,
		readonly example: Example,
	) {}

	/** @param seconds how long each question waits */
	static async begin(id: string, seconds: number[]): Promise<Order> {
		const credentials = { messagingGatewayApi: host.credential };
		const example = await Example.import(host.client, file, credentials, (workflow) => {
			enter(workflow, 'Order', { orderId: id });
			const list = parametersOf(workflow, 'Whom to Ask');
			const { questions } = JSON.parse(String(list.jsonOutput)) as { questions: object[] };
			expect(questions).toHaveLength(seconds.length);
			list.jsonOutput = JSON.stringify({
				questions: questions.map((each, index) => ({ ...each, hours: seconds[index]! / 3_600 })),
			});
		});
		const order = new Order(id, example);
		await order.run();
		return order;
	}

	async run(): Promise<void> {
		this.executions.push(await host.client.run(this.example.id));
	}

	/** Waits for the newest question to a person. @returns all links to them */
	async asks(person: string, times: number): Promise<string[]> {
		await until(`question ${times} is there`, () => this.links(person).length >= times);
		await host.client.untilItWaits(this.executions[0]!);
		expect(this.links(person)).toHaveLength(times);
		return this.links(person);
	}

	links(person: string): string[] {
		const ofOrder = new Set(
			host.sandbox
				.accepted({ to: person })
				.filter(({ text }) => text.includes(`Order ${this.id} costs 1,250.00.`))
				.map(({ text }) => text.split('\n').at(-1)),
		);
		return linksTo(host.sandbox, person).filter((link) => ofOrder.has(link));
	}

	/** Waits for the end of all executions. */
	async ends(): Promise<void> {
		for (const id of this.executions) {
			const { error, status } = await host.client.waitForExecution(id);
			expect([error?.message, status]).toEqual([undefined, 'success']);
		}
	}

	/** Runs it again for the same order, which is to ask nobody. */
	async asksNobody(): Promise<void> {
		await this.run();
		const { status } = await host.client.untilItRestsOrEnds(this.executions.at(-1)!);
		expect(status).toBe('success');
	}

	async rows() {
		return (await rowsOf(host.client, 'Approvals')).filter(({ request }) => request === this.id);
	}

	/** What the customer and the office got. */
	told(): string[] {
		return [customer, office].flatMap((to) =>
			host.sandbox
				.accepted({ to })
				.map(({ text }) => text)
				.filter((text) => text.includes(`rder ${this.id} `)),
		);
	}
}

const file = 'approval-that-reminds';

async function press(link: string, value: 'approve' | 'disapprove'): Promise<void> {
	expect((await answer(link, value)).title).toContain('Answer recorded');
}

/** The page of a question that is no longer open, whether it is opened or answered. */
async function expectClosed(links: string[]): Promise<void> {
	for (const link of links) {
		for (const page of [await open(link), await answer(link, 'approve')]) {
			expect([page.status, page.title]).toEqual([
				410,
				expect.stringContaining('already answered or closed'),
			]);
		}
	}
}

const utc = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;

it('the first question is answered; the same order again asks nobody', async () => {
	const order = await Order.begin('A-1', [never, never, never]);
	const [link] = await order.asks(ana, 1);
	expect(await order.rows()).toMatchObject([{ who: null, when: null, what: 'open' }]);
	await press(link!, 'approve');
	await order.ends();
	const [question] = host.sandbox.accepted({ to: ana });
	const [execution] = order.executions;
	const decision = { who: 'Ana', when: utc, what: 'approved', why: '' };
	const row = { ...decision, question: question!.messageId, execution };
	expect(await order.rows()).toEqual([expect.objectContaining(row)]);
	await order.asksNobody();
	expect(await order.rows()).toEqual([expect.objectContaining(row)]);
	expect(order.told()).toEqual(['Your order A-1 is on its way.']);
	expect(host.sandbox.accepted()).toHaveLength(2);
});

it('a reminder has a new link, which counts; the page of the first one is over', async () => {
	const order = await Order.begin('A-2', [soon, never, never]);
	const [first, second] = await order.asks(ana, 2);
	expect(host.sandbox.accepted({ to: ana })[1]!.text).toMatch(/^Reminder: Order A-2 costs/);
	await expectClosed([first!]);
	await order.asks(ana, 2);
	expect(await order.rows()).toMatchObject([{ what: 'open' }]);
	await press(second!, 'disapprove');
	await order.ends();
	const row = { who: 'Ana', when: utc, what: 'declined' };
	expect(await order.rows()).toMatchObject([row]);
	expect(order.told()).toEqual(['Order A-2 is not approved: declined by Ana.']);
});

it('a second person answers; the first one, who is late, changes nothing', async () => {
	const order = await Order.begin('A-3', [soon, soon, never]);
	const [link] = await order.asks(carla, 1);
	const late = order.links(ana);
	expect(late).toHaveLength(2);
	await expectClosed(late);
	await order.asks(carla, 1);
	expect(await order.rows()).toMatchObject([{ what: 'open' }]);
	await press(link!, 'approve');
	await order.ends();
	const rows = await order.rows();
	expect(rows).toMatchObject([{ who: 'Carla', when: utc, what: 'approved' }]);
	for (const each of [...late, link!]) {
		const pages = [await open(each), await answer(each, 'disapprove')];
		for (const { html } of pages) expect(html).toContain('No action required');
	}
	expect(await order.rows()).toEqual(rows);
	expect(order.told()).toEqual(['Your order A-3 is on its way.']);
	expect(host.sandbox.accepted()).toHaveLength(4);
});

it('nobody answers: not approved, and the order can be asked about again', async () => {
	const order = await Order.begin('A-4', [soon, soon, soon]);
	await order.ends();
	const row = { who: '', when: utc, what: 'no answer', why: '', question: '' };
	expect(await order.rows()).toMatchObject([row]);
	expect([order.links(ana).length, order.links(carla).length]).toEqual([2, 1]);
	const told = 'Order A-4 is not approved: no answer.';
	expect(order.told()).toEqual([told]);
	host.sandbox.reset();
	await order.run();
	await order.ends();
	expect(await order.rows()).toMatchObject([row, row]);
	expect(order.links(ana)).toHaveLength(2);
	expect(order.told()).toEqual([told]);
});

it('whoever cannot be asked is passed over, and the row says why', async () => {
	host.sandbox.fault({ to: ana, fault: { refuse: 'Número bloqueado.' } });
	const order = await Order.begin('A-5', [never, never, soon]);
	await order.ends();
	expect(order.links(carla)).toHaveLength(1);
	const why = expect.stringMatching(/Número bloqueado.*Número bloqueado/);
	expect(await order.rows()).toMatchObject([{ who: '', what: 'no answer', why }]);
});

it('two executions at once ask once; a failure afterwards is retried without asking', async () => {
	host.sandbox.fault({ to: customer, fault: { refuse: 'Sem saldo.' } });
	const order = await Order.begin('A-6', [never, never, never]);
	await order.run();
	const [link] = await order.asks(ana, 1);
	const [asking, other] = await Promise.all(
		order.executions.map(async (id) => (await host.client.untilItRestsOrEnds(id)).status),
	);
	expect([asking, other].sort()).toEqual(['success', 'waiting']);
	const execution = order.executions[asking === 'waiting' ? 0 : 1]!;
	await press(link!, 'approve');
	expect((await host.client.waitForExecution(execution)).error?.message).toContain('Sem saldo');
	const rows = await order.rows();
	expect(rows).toMatchObject([{ who: 'Ana', what: 'approved' }]);
	host.sandbox.clearFaults();
	const retried = await host.client.waitForExecution(await host.client.retry(execution));
	expect([retried.error?.message, retried.status]).toEqual([undefined, 'success']);
	expect(await order.rows()).toEqual(rows);
	expect(order.links(ana)).toHaveLength(1);
	expect(order.told()).toEqual(['Your order A-6 is on its way.']);
});

it('n8n is killed while it waits: the answer counts, nobody is asked twice', async () => {
	const answered = await Order.begin('A-7', [never, never, never]);
	const pressedTwice = await Order.begin('A-8', [never, never, never]);
	const reminded = await Order.begin('A-9', [soon, never, never]);
	const links = await Promise.all(
		[answered, pressedTwice, reminded].map(async (order) => (await order.asks(ana, 1))[0]!),
	);
	await host.kill();
	await expect(answer(links[1]!, 'approve')).rejects.toThrow();
	// Its clock goes as it does: a busy start would give the standing one time to end a wait twice.
	await host.startAgain({ env: runningClock });
	await press(links[0]!, 'disapprove');
	await press(links[1]!, 'approve');
	const [first, second] = await reminded.asks(ana, 2);
	await expectClosed([first!]);
	await press(second!, 'approve');
	for (const [order, what, asked] of [
		[answered, 'declined', 1],
		[pressedTwice, 'approved', 1],
		[reminded, 'approved', 2],
	] as const) {
		await order.ends();
		expect(await order.rows()).toMatchObject([{ who: 'Ana', when: utc, what }]);
		expect([order.links(ana).length, order.links(carla).length]).toEqual([asked, 0]);
		expect(order.told()).toHaveLength(1);
	}
});
