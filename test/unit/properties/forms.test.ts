/**
 * All that n8n shows and stores of the nodes and the credential, as it was last looked over: names
 * and defaults never change, texts only on purpose. `npx jest --selectProjects unit
 * --testPathPatterns properties/forms -u` takes a change over.
 */
import { MessagingGatewayApi } from '../../../credentials/MessagingGatewayApi.credentials';
import { MessagingGateway } from '../../../nodes/MessagingGateway/MessagingGateway.node';
import { resources } from '../../../nodes/MessagingGateway/operations';
import { MessagingGatewayStatusTrigger } from '../../../nodes/MessagingGatewayStatusTrigger/MessagingGatewayStatusTrigger.node';
import { MessagingGatewayTrigger } from '../../../nodes/MessagingGatewayTrigger/MessagingGatewayTrigger.node';

const { description } = new MessagingGateway();
const { description: statusTriggerDescription } = new MessagingGatewayStatusTrigger();
const { description: triggerDescription } = new MessagingGatewayTrigger();
const operations = resources.flatMap((resource) =>
	resource.operations.map((operation) => ({ resource, operation })),
);

test('the node', () => {
	const [resource, ...rest] = description.properties;
	const dropdowns = rest.filter(({ name }) => name === 'operation');
	expect({ ...description, properties: [resource, ...dropdowns] }).toMatchSnapshot();
});

test.each(operations)('$resource.name: $operation.name', ({ resource, operation }) => {
	const { value, name, action, fields, options } = operation;
	expect(resource.operations).toContain(operation);
	expect({ value, name, action, fields, options }).toMatchSnapshot();
});

test("the options of every operation, and where an operation's fields are shown", () => {
	const {
		value,
		operations: [operation],
	} = resources.find(({ value: of }) => of === 'instance')!;
	const fields = description.properties.filter(
		({ displayOptions: { show } = {} }) =>
			show?.resource?.includes(value) && show.operation?.includes(operation!.value),
	);
	expect(fields).toMatchSnapshot();
});

test('the status trigger', () => {
	expect(statusTriggerDescription).toMatchSnapshot();
});

test('the trigger', () => {
	expect(triggerDescription).toMatchSnapshot();
});

test('the credential', () => {
	const { authenticate, ...credential } = new MessagingGatewayApi();
	expect(authenticate).toBeInstanceOf(Function);
	expect(credential).toMatchSnapshot();
});
