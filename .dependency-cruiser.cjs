// Which folder may import which, without a circle.
const never = (name, from, to) => ({
	name,
	severity: 'error',
	from: { path: from },
	to: { path: to },
});

/** The rooms of nodes/: each may import those before it. */
const rooms = ['text', 'n8n', 'account', 'service', 'pace', 'form', 'send', 'question'];

const nodes = ['MessagingGateway', 'MessagingGatewayTrigger', 'MessagingGatewayStatusTrigger'];

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
	forbidden: [
		{
			name: 'no-circle',
			severity: 'error',
			from: { path: '^(nodes|tools)' },
			to: { circular: true },
		},
		...rooms.map((room, at) =>
			never(
				'down-only',
				`^nodes/${room}/`,
				`^nodes/(Messaging|(${rooms.slice(at + 1).join('|')})/)`,
			),
		),
		...nodes.map((node) =>
			never('nodes-stand-apart', `^nodes/${node}/`, `^nodes/(?!${node}/)Messaging`),
		),
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
