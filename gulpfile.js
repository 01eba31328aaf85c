const { dest, parallel, src } = require('gulp');
const { rm } = require('node:fs/promises');

const clean = () => rm('dist', { recursive: true, force: true });

// `encoding: false` keeps binary files as they are (gulp 5 would decode them as text).
const icons = () => src('icons/*.svg', { encoding: false }).pipe(dest('dist/icons'));
const codex = () => src('nodes/**/*.node.json', { encoding: false }).pipe(dest('dist/nodes'));
// What n8n's editor shows of a node's output before it has run.
const schemas = () => src('nodes/**/__schema__/**/*.json').pipe(dest('dist/nodes'));

module.exports = { clean, assets: parallel(icons, codex, schemas) };
