/** Loaded into n8n before it starts: n8n's own Twilio node, otherwise unchanged, sends to TWILIO_HERE. */
const { readFileSync } = require('node:fs');
const { _extensions } = require('node:module');

const load = _extensions['.js'];
_extensions['.js'] = (module, file) => {
	if (!/[\\/]Twilio[\\/]GenericFunctions\.js$/.test(file)) return load(module, file);
	const text = readFileSync(file, 'utf8');
	module._compile(text.replaceAll('https://api.twilio.com', process.env.TWILIO_HERE), file);
};
