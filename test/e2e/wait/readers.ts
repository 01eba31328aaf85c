/** What opens a link in a message before, or besides, the person whom it is for. */
export const readers: Record<string, string> = {
	WhatsApp: 'WhatsApp/2.24.11.79 A',
	Telegram: 'TelegramBot (like TwitterBot)',
	Facebook: 'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
	'iMessage, on the phone of the recipient':
		'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_11_1) AppleWebKit/601.2.4 (KHTML, like Gecko) Version/9.0.1 Safari/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0',
	'Google Messages':
		'Mozilla/5.0 (Linux; Android 7.0; SM-G930V Build/NRD90M) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/59.0.3071.125 Mobile Safari/537.36 (compatible; Google-Read-Aloud; +https://support.google.com/webmasters/answer/1061943)',
	X: 'Twitterbot/1.0',
	Slack: 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
	Discord: 'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)',
	LinkedIn: 'LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)',
	Teams:
		'Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5 skype-url-preview@microsoft.com',
	'Outlook Safe Links':
		'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36 Edg/120.0.0.0',
	Proofpoint: 'Mozilla/5.0 (compatible; Proofpoint URL Defense)',
	Mimecast:
		'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:109.0) Gecko/20100101 Firefox/115.0 Mimecast',
	Barracuda: 'Barracuda Sentinel (EE)',
	VirusTotal: 'virustotal; gzip(gfe)',
	Googlebot: 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
	Bing: 'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)',
	Applebot: 'Mozilla/5.0 (compatible; Applebot/0.1; +http://www.apple.com/go/applebot)',
	'a browser that fetches ahead':
		'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/126.0.0.0 Safari/537.36',
	'a program': 'curl/8.5.0',
	'somebody who does not say': '',
};
