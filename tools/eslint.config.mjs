import tseslint from 'typescript-eslint';

// The rules of what is not published. tools/ and test/ take them from here; nodes/ and credentials/
// have n8n's own rules, which are those of the root.
export default tseslint.config(
	{ ignores: ['**/node_modules/', '**/*.mjs', '**/*.cjs'] },
	{ files: ['**/*.ts'], extends: [tseslint.configs.recommended] },
);
