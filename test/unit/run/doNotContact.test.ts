import { doNotContactList } from '../../../nodes/MessagingGateway/run/doNotContact';
import { SubWorkflow } from '../../../nodes/MessagingGateway/run/subWorkflow';

test('a list that took too long is not asked again by the run', async () => {
	let calls = 0;
	const executeWorkflow = async () => {
		calls++;
		return await new Promise(() => {});
	};
	const context = { executeWorkflow } as never;
	const list = doNotContactList(new SubWorkflow(context, 'w-1', 'do-not-contact workflow', 10));
	for (const to of ['1', '2', '3']) {
		const answer = list.ask({ to, segments: 1 });
		void list.flush();
		await expect(answer).rejects.toThrow('it took longer than 0.01 seconds');
	}
	expect(calls).toBe(1);
});
