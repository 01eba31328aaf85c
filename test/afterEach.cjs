/** No test leaves a spy or a false clock to the next one, whose file may share this process. */
afterEach(() => {
	jest.useRealTimers();
	jest.restoreAllMocks();
});
