module.exports = {
	semi: true,
	trailingComma: 'all',
	singleQuote: true,
	useTabs: true,
	printWidth: 100,
	objectWrap: 'collapse',
	overrides: [{ files: '*.json', options: { objectWrap: 'preserve' } }],
};
