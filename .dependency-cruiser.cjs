// Which folder may import which: text ← gateway ← form ← the three nodes, and no circle.
const never = (name, from, to) => ({
	name,
	severity: 'error',
	from: { path: from },
	to: { path: to },
});

const nodes = ['MessagingGateway', 'MessagingGatewayTrigger', 'MessagingGatewayStatusTrigger'];

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
	forbidden: [
		{ name: 'no-circle', severity: 'error', from: { path: '^(nodes|tools)' }, to: { circular: true } },
		never('text-is-pure', '^nodes/text', '^nodes/(gateway|form|Messaging)'),
		never('the-service-knows-no-forms', '^nodes/gateway', '^nodes/(form|Messaging)'),
		never('a-form-serves-any-node', '^nodes/form', '^nodes/Messaging'),
		...nodes.map((node) =>
			never('nodes-stand-apart', `^nodes/${node}/`, `^nodes/(?!${node}/)Messaging`),
		),
		never('the-runner-takes-any-operation', '^nodes/MessagingGateway/run', '/operations/'),
		never('what-registers-delivers-nothing', '^nodes/.*/registration/', '/delivery/'),
		never('what-delivers-registers-nothing', '^nodes/.*/delivery/', '/registration/'),
		never('tools-need-no-tests', '^tools/', '^test/'),
		never('the-package-stands-alone', '^(nodes|credentials)/', '^(test|tools)/'),
	],
	options: {
		doNotFollow: { path: 'node_modules' },
		exclude: { path: '^tools/host/(node_modules|versions)' },
		tsPreCompilationDeps: true, // types count
		tsConfig: { fileName: 'tsconfig.workshop.json' },
	},
};
