import {
	afterItsEnd,
	calls,
	expectFailure,
	foreign,
	forgetAll,
	left,
	TriggerWorkflow,
	useSandbox,
} from './support';

const waits: number[] = [];
jest.mock('n8n-workflow', () => ({
	...jest.requireActual<object>('n8n-workflow'),
	sleep: async (ms: number) => void waits.push(ms),
}));

const sandbox = useSandbox();
let workflow: TriggerWorkflow;
let second: TriggerWorkflow;
beforeEach(() => {
	waits.length = 0;
	workflow = new TriggerWorkflow(sandbox());
	second = new TriggerWorkflow(sandbox(), 'workflow-2', { conflict: 'takeOver' });
});

const production = 'production of workflow-1';
const test = 'test of workflow-1';
const crm = { url: foreign, enabled: true };

describe('listening for a test event', () => {
	it('borrows production’s webhook, and gives it back as it was', async () => {
		await workflow.publish();
		const webhook = { ...sandbox().webhook };
		await workflow.listen();
		expect(left(sandbox())).toBe(test);
		await workflow.endTest();
		expect(sandbox().webhook).toEqual(webhook);
		expect(await workflow.checkExists()).toBe(true);
	});

	it('switches the webhook off where there was none', async () => {
		await workflow.listen();
		await workflow.endTest();
		expect(left(sandbox())).toBe(`${test}, off`);
		expect(workflow.staticData).toEqual({});
	});

	it('never gives back the URL of a test', async () => {
		await workflow.listen();
		await second.listen();
		await second.endTest();
		expect(left(sandbox())).toBe('test of workflow-2, off');
		await workflow.endTest();
		expect(left(sandbox())).toBe('test of workflow-2, off');
	});

	it('does not end a publication made meanwhile', async () => {
		await workflow.listen();
		await workflow.publish();
		await workflow.endTest();
		expect(await workflow.checkExists()).toBe(true);
	});

	it('gives nothing back that was unpublished meanwhile', async () => {
		for (const listener of [workflow, second]) {
			await workflow.publish();
			await listener.listen();
			await workflow.unpublish();
			expect(left(sandbox())).toBe(`test of ${listener.id}`);
			await listener.endTest();
			expect(left(sandbox())).toBe(`test of ${listener.id}, off`);
		}
	});

	it('keeps another workflow from being published, unless that takes over', async () => {
		await workflow.listen();
		second.options.conflict = 'refuse';
		const error = await expectFailure(second.publish());
		expect(error.message).toContain('another workflow is listening for a test event');

		second.options.conflict = 'takeOver';
		await second.publish();
		await workflow.endTest();
		expect(left(sandbox())).toBe('production of workflow-2');
		await second.unpublish();
		expect(left(sandbox())).toBe('production of workflow-2, off');
	});

	it('keeps nobody from anything when its n8n has died', async () => {
		await workflow.listen();
		second.options.conflict = 'refuse';
		await afterItsEnd(async () => await second.publish());
		expect(left(sandbox())).toBe('production of workflow-2');
	});

	it('tries several times to give the webhook back', async () => {
		sandbox().webhook = { ...crm };
		workflow.options.conflict = 'takeOver';
		await workflow.listen();
		sandbox().fault({ operation: 'getWebhook', times: 1, fault: { status: 503 } });
		sandbox().fault({ operation: 'setWebhook', times: 1, fault: { status: 503 } });
		await workflow.endTest();
		expect(sandbox().webhook).toEqual(crm);
		expect(waits).toEqual([1_000, 3_000]);
	});

	it('ends without a throw when all of that is in vain', async () => {
		await workflow.listen();
		sandbox().fault({ fault: { status: 503 } });
		const made = await calls(sandbox(), async () => {
			const { logs } = await workflow.endTest();
			expect(logs.join()).toContain('error: Did not give the webhook of the account back');
		});
		expect(made).toEqual(['read', 'read', 'read']);
	});

	it('waits for nothing where it has borrowed nothing', async () => {
		sandbox().fault({ fault: { status: 503 } });
		await expectFailure(workflow.listen());
		expect(await calls(sandbox(), async () => await workflow.endTest())).toEqual(['read']);
		expect(waits).toEqual([]);
	});
});

describe('listening where somebody else has the webhook', () => {
	beforeEach(() => {
		sandbox().webhook = { ...crm };
	});

	it('is refused with the name of the host', async () => {
		const error = await expectFailure(workflow.listen());
		expect(error.message).toBe(
			"The account has one webhook, and crm.example.com is using it. Switch it off there, or set 'If the Webhook Is in Use' to 'Take Over', and listen again.",
		);
		await workflow.endTest();
		expect(sandbox().webhook).toEqual(crm);
		expect(sandbox().requests({ operation: 'setWebhook' })).toEqual([]);
	});

	it('is refused over another workflow, too, but not over its own', async () => {
		await second.publish();
		await expect(workflow.listen()).rejects.toThrow(
			'another Messaging Gateway Trigger, at localhost:5678 is using it',
		);
		second.options.conflict = 'refuse';
		await second.listen();
		await second.endTest();
		expect(await second.checkExists()).toBe(true);
	});

	it('borrows it with Take Over', async () => {
		workflow.options.conflict = 'takeOver';
		const made = await calls(sandbox(), async () => {
			await workflow.listen();
			await workflow.endTest();
		});
		expect(made).toEqual(['read', `set ${test}`, 'read', 'read', `set ${foreign}`]);
		expect(sandbox().webhook).toEqual(crm);
	});

	describe('and n8n was killed', () => {
		beforeEach(async () => {
			workflow.options.conflict = 'takeOver';
			await workflow.listen();
			forgetAll();
		});

		it.each<[string, () => Promise<unknown>]>([
			['publishing, which is then refused', async () => await expectFailure(second.publish())],
			['listening, which is then refused', async () => await expectFailure(second.listen())],
			['the start of a published workflow', async () => await second.restart()],
		])('it is given back at %s', async (_, act) => {
			second.options.conflict = 'refuse';
			await afterItsEnd(act);
			expect(sandbox().webhook).toEqual(crm);
		});

		it('it is given back at the look of a published workflow', async () => {
			sandbox().webhook = { url: null, enabled: null };
			second.options.conflict = 'refuse';
			await second.publish();
			const watch = await second.watch();
			sandbox().webhook = { ...crm }; // it was displaced, and then the test has borrowed it
			await workflow.listen();
			forgetAll();
			await afterItsEnd(watch.tick);
			expect(sandbox().webhook).toEqual(crm);
			await watch.close();
		});

		it.each(['refuse', 'takeOver'] as const)(
			'a published workflow has it again, %s',
			async (conflict) => {
				sandbox().webhook = { url: null, enabled: null };
				second.options.conflict = conflict;
				await second.publish();
				const watch = await second.watch();
				await workflow.listen();
				forgetAll();
				await afterItsEnd(watch.tick);
				expect(await second.checkExists()).toBe(true);
				await watch.close();
			},
		);

		it('it is given back after whoever takes over', async () => {
			await afterItsEnd(async () => await second.publish());
			expect(left(sandbox())).toBe('production of workflow-2');
			await second.unpublish();
			expect(sandbox().webhook).toEqual(crm);
		});

		it('it is not given back where somebody has switched the webhook off', async () => {
			sandbox().webhook.enabled = false;
			second.options.conflict = 'refuse';
			const looked = await afterItsEnd(async () => {
				return await calls(sandbox(), async () => await second.checkExists());
			});
			expect(looked).toEqual(['read']);
			await afterItsEnd(async () => await second.publish());
			expect(left(sandbox())).toBe('production of workflow-2');
			await second.unpublish();
			expect(sandbox().webhook).toEqual(crm);
		});

		it('it is not given back before the test can be over', async () => {
			second.options.conflict = 'refuse';
			await expectFailure(second.publish());
			expect(left(sandbox())).toBe(test);
		});

		it('is left to its own n8n, where another one cannot open what is sealed', async () => {
			const { url } = sandbox().webhook;
			sandbox().webhook.url = url!.replace(/.{4}$/, 'AAAA');
			second.options.conflict = 'refuse';
			const error = await afterItsEnd(async () => await expectFailure(second.publish()));
			expect(error.message).toContain('another Messaging Gateway Trigger, at localhost:5678');
			second.options.conflict = 'takeOver';
			const webhook = { ...sandbox().webhook };
			await afterItsEnd(async () => await second.publish());
			await afterItsEnd(async () => await second.unpublish());
			expect(sandbox().webhook).toEqual(webhook);
		});
	});
});

/** crm.example.com has the webhook at the start, and has it again when all is over. */
describe('somebody else’s webhook beneath what overlaps', () => {
	beforeEach(() => {
		sandbox().webhook = { ...crm };
		workflow.options.conflict = 'takeOver';
	});

	it('is not displaced by publishing while listening, with Refuse', async () => {
		for (const listener of [workflow, second]) {
			listener.options.conflict = 'takeOver';
			await listener.listen();
			workflow.options.conflict = 'refuse';
			const error = await expectFailure(workflow.publish());
			expect(error.message).toContain('crm.example.com is using it');
			await workflow.unpublish(); // n8n calls `delete` after each attempt
			expect(left(sandbox())).toBe(`test of ${listener.id}`);
			await listener.endTest();
			expect(sandbox().webhook).toEqual(crm);
		}
	});

	it('is given back after publishing while listening', async () => {
		for (const listener of [workflow, second]) {
			await listener.listen();
			await workflow.publish();
			await listener.endTest();
			expect(left(sandbox())).toBe(production);
			await workflow.unpublish();
			expect(sandbox().webhook).toEqual(crm);
		}
	});

	it('is given back after publishing again while listening', async () => {
		await workflow.publish();
		await workflow.listen();
		await workflow.unpublish();
		await workflow.publish();
		await workflow.endTest();
		expect(left(sandbox())).toBe(production);
		await workflow.unpublish();
		expect(sandbox().webhook).toEqual(crm);
	});

	it('is given back by a test that outlives its publication', async () => {
		for (const listener of [workflow, second]) {
			await workflow.publish();
			await listener.listen();
			forgetAll();
			await workflow.unpublish();
			expect(left(sandbox())).toBe(`test of ${listener.id}`);
			await listener.endTest();
			expect(sandbox().webhook).toEqual(crm);
		}
	});

	it.each([
		['the first ends first', [0, 1]],
		['the second ends first', [1, 0]],
	])('is given back after two tests at once: %s', async (_, order) => {
		for (const other of [second, new TriggerWorkflow(sandbox())]) {
			other.options.conflict = 'takeOver';
			const tests = [workflow, other];
			for (const each of tests) await each.listen();
			for (const index of order) await tests[index]!.endTest();
			expect(sandbox().webhook).toEqual(crm);
		}
	});

	it('is given back after a test whose end went wrong', async () => {
		await workflow.listen();
		sandbox().fault({ times: 3, fault: { status: 503 } });
		await workflow.endTest();
		expect(left(sandbox())).toBe(test);
		await second.listen();
		await second.endTest();
		expect(sandbox().webhook).toEqual(crm);
	});

	it.each([
		['each takes over from the one before', [0, 1, 2]],
		['the newest ends first', [2, 1, 0]],
		['the middle one ends first', [1, 2, 0]],
	])('is given back after three workflows: %s', async (_, order) => {
		const three = [workflow, second, new TriggerWorkflow(sandbox(), 'workflow-3', second.options)];
		for (const each of three) await each.publish();
		for (const index of order) {
			forgetAll();
			await three[index]!.unpublish();
		}
		expect(sandbox().webhook).toEqual(crm);
	});

	it('is given back when each of two has taken the webhook from the other', async () => {
		await workflow.publish();
		await second.publish();
		await workflow.unpublish();
		await workflow.publish();
		await second.unpublish();
		await workflow.unpublish();
		expect(sandbox().webhook).toEqual(crm);
	});
});
