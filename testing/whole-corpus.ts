/** Whether all of a corpus is asked for (`RUSHES_TEST_CORPUS=all`, as every `npm run -s report:…` does); `npm test` runs a sample of what takes minutes. */
export const wantsWholeCorpus = process.env.RUSHES_TEST_CORPUS === 'all';
