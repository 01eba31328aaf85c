import { userFolder } from './environment';
import { rmSync } from 'node:fs';
import { inspect } from 'node:util';
import { Logger } from '@n8n/backend-common';
import { Container } from '@n8n/di';
import { InstanceSettings, ScheduledTaskManager } from 'n8n-core';
import { LoggerProxy, setGlobalState, type Logger as ILogger } from 'n8n-workflow';

import { inProcess } from '../../../nodes/n8n/processState';
/** What n8n's own start-up does before any node runs. */

/** Everything logged in this test file, by nodes and by n8n itself, one line an entry. */
export const logs: string[] = [];

const logAt =
	(level: string) =>
	(message: string, metadata: object = {}) => {
		logs.push(`${level}: ${message} ${inspect(metadata, { depth: 8, breakLength: Infinity })}`);
	};

const logger: ILogger & Pick<Logger, 'scoped'> = {
	error: logAt('error'),
	warn: logAt('warn'),
	info: logAt('info'),
	debug: logAt('debug'),
	scoped: () => logger as Logger,
};
Container.set(Logger, logger as Logger);
LoggerProxy.init(logger);

setGlobalState({ defaultTimezone: 'America/New_York' });
// Only the leader of an n8n cluster runs cron jobs.
Container.get(InstanceSettings).markAsLeader();

/** What a service asked for in one test does not apply to the next. */
beforeEach(() => inProcess.clear());

afterAll(() => {
	// n8n-core 1.x keeps it to itself.
	if (ScheduledTaskManager) Container.get(ScheduledTaskManager).deregisterGroups('workflow');
	rmSync(userFolder, { recursive: true, force: true });
});
