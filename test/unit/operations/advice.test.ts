import { adviceFor } from '../../../nodes/MessagingGateway/form';
import { resources } from '../../../nodes/MessagingGateway/operations';

const operations = resources.flatMap((resource) => resource.operations);

test.each(operations.map((operation) => [operation.action, operation] as const))(
	'%s: what it says of a request without an answer, and of one that is refused',
	(_, operation) => {
		expect([operation.uncertainty, adviceFor(operation)]).toMatchSnapshot();
	},
);

test('speaks of values where there are some, and of more than a notice', () => {
	const notice = { displayName: 'Beware', name: 'notice', type: 'notice', default: '' } as const;
	const field = { displayName: 'To', name: 'to', type: 'string', default: '' } as const;
	expect(adviceFor({ fields: [notice] }).rejected).toBeUndefined();
	expect(adviceFor({ fields: [notice, field] }).rejected).toContain('the values of this item');
	expect(adviceFor({ fields: [] }).rejected).toBeUndefined();
});
