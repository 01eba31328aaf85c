import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Account } from './account';
import { TriggerWorkflow, type RunningHost, type TriggerOptions } from './triggerWorkflow';

/** What happens to a trigger, step by step. Runs at the same time as other cases. */
export interface LifecycleCase {
	title: string;
	/** It waits long: starts before the others. */
	slow?: true;
	run(stage: Stage): Promise<void>;
}

/** What a case plays on: accounts of its own, and the rows that it adds to docs/trigger.md. */
export class Stage {
	readonly rows: string[] = [];
	private readonly accounts: Account[] = [];
	private readonly workflows: TriggerWorkflow[] = [];

	constructor(readonly host: RunningHost) {}

	async openAccount(host = this.host): Promise<Account> {
		const account = await Account.open(host.client);
		this.accounts.push(account);
		return account;
	}

	/** An account and a workflow with it. */
	async open(options: TriggerOptions = {}) {
		const account = await this.openAccount();
		return { account, workflow: await this.create(account, options) };
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

	/** A workflow that stayed published would go on asking a port that another test may get. */
	async close(): Promise<void> {
		for (const { sandbox } of this.accounts) sandbox.clearFaults();
		for (const workflow of this.workflows) await workflow.unpublish();
		for (const account of this.accounts) await account.close();
	}
}

const file = path.join(__dirname, '../../../docs/trigger.md');
const [begin, end] = ['<!-- lifecycle: written by the test -->\n', '<!-- end of lifecycle -->\n'];

/** The table in docs/trigger.md; with UPDATE_DOCS=1 it is written first. */
export function documentedTable(table: string): string {
	const [before = '', rest = ''] = readFileSync(file, 'utf8').split(begin);
	const [documented = '', after = ''] = rest.split(end);
	if (!process.env.UPDATE_DOCS) return documented;
	writeFileSync(file, [before, begin, table, end, after].join(''));
	return table;
}

/** @param played the cases with their rows, in the order of the page */
export function describeLifecycle(played: Array<{ title: string; rows: string[] }>): string {
	const header = '| | calls | webhook left |\n|---|---|---|\n';
	return (
		header +
		played
			.filter(({ rows }) => rows.length > 0)
			.map(({ title, rows }) => [`| **${title}** | | |`, ...rows, ''].join('\n'))
			.join('')
	);
}
