/** Stands on each page, where only who edits it sees it. */
export const written =
	'<!-- Written by `npm run docs` from the code and from recorded runs. A test compares: change those instead. -->';
