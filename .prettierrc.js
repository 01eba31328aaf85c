module.exports = { semi: true, trailingComma: 'all', singleQuote: true, useTabs: true, printWidth: 100 };
