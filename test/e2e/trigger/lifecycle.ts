import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { LastingHost } from '../../../tools/host/lasting';
import { until } from '../../../tools/host/until';
import { Account } from './account';
import { TriggerWorkflow, type TriggerOptions } from './triggerWorkflow';

/** What happens to a trigger, step by step. */
export interface LifecycleCase {
	title: string;
	/** Whether it ends n8n, so that it plays after the others. */
	restarts?: true;
	run(stage: Stage): Promise<void>;
}

/** What a case plays on: accounts of its own, and the rows that it adds to lifecycle.md. */
export class Stage {
	readonly rows: string[] = [];
	private readonly accounts: Account[] = [];
	private readonly workflows: TriggerWorkflow[] = [];

	constructor(readonly host: LastingHost) {}

	async openAccount(): Promise<Account> {
		const account = await Account.open(this.host.client);
		this.accounts.push(account);
		return account;
	}

	/** An account and a workflow with it. */
	async open(options: TriggerOptions = {}) {
		const account = await this.openAccount();
		return { account, workflow: await this.create(account, options) };
	}

	/** The same, published: its first row. */
	async openPublished() {
		const opened = await this.open();
		await opened.workflow.publish();
		this.row('publish', opened.account);
		return opened;
	}

	async create(account: Account, options?: TriggerOptions): Promise<TriggerWorkflow> {
		const workflow = await TriggerWorkflow.create(this.host, account, options);
		this.workflows.push(workflow);
		return workflow;
	}

	/** Adds a row: what the service saw in this step, and the webhook that it was left with. */
	row(step: string, account: Account, options?: { onlyReads?: boolean }): void {
		this.rows.push(`| ${step} | ${account.calls(options)} | ${account.left()} |`);
	}

	/** The same, once it is done. */
	async step(
		name: string,
		account: Account,
		done: Promise<void>,
		options?: { onlyReads?: boolean },
	): Promise<void> {
		await done;
		this.row(name, account, options);
	}

	/** n8n ends the listening after its answer to whoever made it end. */
	async isLeftWith(account: Account, webhook: string): Promise<void> {
		await until(`the webhook is ${webhook}`, () => account.left() === webhook);
	}

	/** A workflow that stayed published would go on asking a port that another test may get. */
	async close(): Promise<void> {
		for (const { sandbox } of this.accounts) sandbox.clearFaults();
		for (const workflow of this.workflows) await workflow.unpublish();
		for (const account of this.accounts) await account.close();
	}
}

const file = path.join(__dirname, 'lifecycle.md');
const [begin, end] = ['<!-- lifecycle: written by the test -->\n', '<!-- end of lifecycle -->\n'];

/** The table in lifecycle.md. */
export function documentedTable(): string {
	const [, rest = ''] = readFileSync(file, 'utf8').split(begin);
	return rest.split(end)[0]!;
}

export function writeTable(table: string): void {
	const text = readFileSync(file, 'utf8');
	writeFileSync(
		file,
		text.replace(begin + documentedTable(), () => begin + table),
	);
}

/** Plays a case. @returns its section of the table; empty where it adds no row */
export async function play(host: LastingHost, { title, run }: LifecycleCase): Promise<string> {
	const stage = new Stage(host);
	try {
		await run(stage);
		const { rows } = stage;
		return rows.length > 0 ? [`| **${title}** | | |`, ...rows, ''].join('\n') : '';
	} finally {
		await stage.close();
	}
}

/** @param sections in the order of the page */
export const tableOf = (sections: string[]): string =>
	'| | calls | webhook left |\n|---|---|---|\n' + sections.join('');
