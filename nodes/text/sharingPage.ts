/** Hosts whose links open a page that shows a file, or asks to sign in. */
const hosts =
	/^((drive|docs|photos)\.google\.com|photos\.app\.goo\.gl|(www\.)?dropbox\.com|onedrive\.live\.com|1drv\.ms|[\w-]+\.sharepoint\.com|(www|share)\.icloud\.com|(www\.)?wetransfer\.com|we\.tl|[\w-]+\.box\.com|(www\.)?mediafire\.com|mega\.nz)$/;

/** What makes the same hosts give the file itself. */
const ofFile =
	/^\/uc\?|\/(export|download)([/?]|$)|\/shared\/static\/|[?&](dl|raw|download)=1(&|$)/;

/** Whether a web address is a link for sharing a file, as people copy it, and not the file itself. */
export function isSharingPage(address: string): boolean {
	const { hostname, pathname, search } = new URL(address);
	return hosts.test(hostname) && !ofFile.test(pathname + search);
}
