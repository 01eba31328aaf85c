/** Matches hosts, some with a path, whose links open a page that shows a file, or asks to sign in. */
const sharingPages =
	/^((www\.)?(github\.com|gitlab\.com|huggingface\.co)\/.+\/blob|[\w.-]+\.wiki[mp]edia\.org\/wiki|(drive|docs|photos)\.google\.com|photos\.app\.goo\.gl|(www\.)?dropbox\.com|onedrive\.live\.com|1drv\.ms|[\w-]+\.sharepoint\.com|(www|share)\.icloud\.com|(www\.)?wetransfer\.com|we\.tl|[\w-]+\.box\.com|(www\.)?mediafire\.com|mega\.nz)\//;

/** Matches the paths and queries with which these hosts give the file itself. */
const directFileLink =
	/^\/uc\?|\/(export|download)([/?]|$)|\/shared\/static\/|[?&](dl|raw|download)=(1|true)(&|$)/;

/** Whether a web address is a link for sharing a file, as people copy it, and not the file itself. */
export function isSharingPage(address: string): boolean {
	const { hostname, pathname, search } = new URL(address);
	return sharingPages.test(hostname + pathname) && !directFileLink.test(pathname + search);
}
