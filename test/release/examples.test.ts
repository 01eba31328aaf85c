/** What every workflow in examples/ has to be, and the gallery that shows them. */
import type { INode } from 'n8n-workflow';
import { MessagingGateway } from '../../nodes/MessagingGateway/MessagingGateway.node';
import { MessagingGatewayStatusTrigger } from '../../nodes/MessagingGatewayStatusTrigger/MessagingGatewayStatusTrigger.node';
import { MessagingGatewayTrigger } from '../../nodes/MessagingGatewayTrigger/MessagingGatewayTrigger.node';
import { parseDefaultCountry } from '../../nodes/text/country';
import { parsePhoneNumber } from '../../nodes/text/phoneNumber';
import { exampleFiles, readExample } from '../../tools/host/examples';
import { filesIn, read } from './files';

const files = exampleFiles();
const page = read('docs/examples.md');
/** Of the page, by the example that it links to. */
const sections = new Map(
	page
		.split(/^## /m)
		.flatMap((text) =>
			[...text.matchAll(/\(\.\.\/examples\/([\w-]+)\.json\)/g)].map(
				([, file]) => [file!, text] as const,
			),
		),
);

const isNote = ({ type }: INode) => type === 'n8n-nodes-base.stickyNote';
const isTrigger = ({ type }: INode) => /(Trigger|\.webhook)$/.test(type);

/** Nodes that only stand for what somebody is to put there. */
const placeholders = ['n8n-nodes-base.noOp', 'n8n-nodes-base.set', 'n8n-nodes-base.merge'];
/** Whoever calls a workflow goes on with what these give. */
const answersOfCalled = placeholders.slice(1);

/** Nodes that nothing comes after. */
function endsOf(file: string): INode[] {
	const { nodes, connections } = readExample(file);
	const goesOn = ({ name }: INode) => Object.values(connections[name] ?? {}).flat(2).length > 0;
	return nodes.filter((node) => !isNote(node) && !goesOn(node));
}

it('there are ten and more, and not too many to choose from', () => {
	expect(files.length).toBeGreaterThanOrEqual(10);
	expect(files.length).toBeLessThanOrEqual(34);
	expect([...sections.keys()].sort()).toEqual([...files].sort());
});

/** The names of each node's fields, by its type, and of the one that n8n adds where it polls. */
const fieldsOf = new Map<string, string[]>(
	[MessagingGateway, MessagingGatewayStatusTrigger, MessagingGatewayTrigger].map((Type) => {
		const { name, properties } = new Type().description;
		const names = ['pollTimes', ...properties.map((each) => each.name)];
		return [`n8n-nodes-messaging-gateway.${name}`, names] as const;
	}),
);

/** Whatever in a text could pass for a number. */
const numberLike = /\+?\d[\d ().-]{6,}\d/g;

/** All texts of a workflow, but n8n's own ids. */
function textsOf(value: unknown): string[] {
	if (typeof value === 'string') return [value];
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([key, each]) =>
		key === 'id' || key === 'webhookId' ? [] : textsOf(each),
	);
}

describe.each(files)('%s', (file) => {
	const workflow = readExample(file);

	it('sets fields that the nodes have, and no others', () => {
		for (const { type, parameters } of workflow.nodes) {
			const fields = fieldsOf.get(type);
			if (fields) expect(fields).toEqual(expect.arrayContaining(Object.keys(parameters)));
		}
	});

	it('has no number that could be sent to, whatever the default country', () => {
		const numbers = textsOf(workflow).flatMap((text) => text.match(numberLike) ?? []);
		const homes = [undefined, ...['BR', 'PT', 'UY', 'US', 'included'].map(parseDefaultCountry)];
		const found = numbers.filter((number) =>
			homes.some((home) => !parsePhoneNumber(number, home).problem),
		);
		expect(found).toEqual([]);
	});

	it('is on the page', () => {
		const section = sections.get(file) ?? '';
		const [title] = section.split('\n');
		expect(title).toBe(workflow.name);
		expect(section).toMatch(/^\*\*Set up:\*\* \w/m);
	});

	it('says in a note what it does and what to set', () => {
		const [overview] = workflow.nodes.filter(isNote);
		expect(overview?.name).toBe('Note: Overview');
		expect(overview?.parameters.content).toMatch(/^## .+\n\n[\s\S]*credential/);
	});

	it('ends in something real', () => {
		const isCalled = workflow.nodes.some(({ type }) => type.endsWith('.executeWorkflowTrigger'));
		const allowed = isCalled ? answersOfCalled : [];
		const isPlaceholder = ({ type, name }: INode) =>
			/replace|placeholder|to ?do\b/i.test(name) ||
			(placeholders.includes(type) && !allowed.includes(type));
		expect(endsOf(file).filter(isPlaceholder)).toEqual([]);
		expect(endsOf(file).filter(isTrigger)).toEqual([]);
	});

	it('names no account, no instance and no number of anybody', () => {
		const text = JSON.stringify(workflow);
		expect(workflow.nodes.filter(({ credentials }) => credentials)).toEqual([]);
		expect(Object.keys(workflow).sort()).toEqual(['connections', 'name', 'nodes', 'settings']);
		const hosts = [...text.matchAll(/https?:\/\/([^/"\\]+)/g)].map(([, host]) => host);
		expect(hosts.filter((host) => host !== 'example.com')).toEqual([]);
	});

	it('is run by an end-to-end test', () => {
		const tests = ['test/e2e', 'test/nightly']
			.flatMap((folder) => filesIn(folder, '.ts'))
			.map((name) => read(name));
		const names = [`'${file}'`, `'${workflow.name}'`];
		expect(tests.some((test) => names.some((name) => test.includes(name)))).toBe(true);
	});

	it('has no note that covers a node or another note', () => {
		const boxes = workflow.nodes.map((node) => ({ name: node.name, ...boxOf(node) }));
		const overlaps = boxes.flatMap((a, index) =>
			boxes
				.slice(index + 1)
				.filter((b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom)
				.map((b) => `${a.name}, ${b.name}`),
		);
		expect(overlaps).toEqual([]);
	});
});

/** On the canvas, in its pixels; of a node with its name below. */
function boxOf(node: INode) {
	const [left, top] = node.position;
	const { width = 96, height = 130 } = isNote(node)
		? (node.parameters as { width: number; height: number })
		: {};
	return { left, top, right: left + width, bottom: top + height };
}
