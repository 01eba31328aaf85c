import { adviceFor } from '../../../nodes/MessagingGateway/form';
import { findOperation, resources } from '../../../nodes/MessagingGateway/operations';

const advice = (resource: string, operation: string) =>
	adviceFor(findOperation(resource, operation)!);

const operations = resources.flatMap((resource) => resource.operations);

test.each(operations.map((operation) => [operation.action, operation] as const))(
	'%s: what it says of a request without an answer, and of one that is refused',
	(_, operation) => {
		expect([operation.uncertainty, adviceFor(operation)]).toMatchSnapshot();
	},
);

test('names the fields that an operation has, and no others', () => {
	expect(advice('apiKey', 'revoke').notFound).toBe("Check 'API Key' in this node, too.");
	expect(advice('campaign', 'delete').notFound).toBe("Check 'Campaign ID' in this node, too.");
	expect(advice('campaign', 'get').campaignNotFound).toBe("Check 'Campaign ID' and 'Channel'.");
	expect(advice('instance', 'logOut').notFound).toBe("Check 'Instance' in this node, too.");
	for (const operation of ['sendSms', 'sendMedia', 'sendAudio']) {
		expect(advice('message', operation)).toMatchObject({ notFound: '', campaignNotFound: '' });
	}
});

test('speaks of values where there are some, and of more than a notice', () => {
	expect(advice('message', 'sendSms').rejected).toContain('the values of this item');
	expect(advice('webhook', 'get').rejected).toBeUndefined();
	const notice = { displayName: 'Beware', name: 'notice', type: 'notice', default: '' } as const;
	const field = { displayName: 'To', name: 'to', type: 'string', default: '' } as const;
	expect(adviceFor({ fields: [notice] }).rejected).toBeUndefined();
	expect(adviceFor({ fields: [notice, field] }).rejected).toContain('the values of this item');
	expect(adviceFor({ fields: [] }).rejected).toBeUndefined();
});

test("offers 'Additional Body Fields' where there are some", () => {
	expect(advice('message', 'sendMedia').validation).toContain("'Additional Body Fields'");
	expect(advice('campaign', 'get').validation).toBe('Correct the field that is named.');
});

test('offers fewer requests where there are several', () => {
	expect(advice('message', 'sendSms').tooManyRequests).toContain("'Requests per Second'");
	expect(advice('message', 'sendAndWait').tooManyRequests).toBe(
		"Or raise 'Max Retries' in the options.",
	);
});
