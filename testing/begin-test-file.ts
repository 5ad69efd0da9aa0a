/**
 * Before each file of tests: those that share a process begin alike. What an archive sets for its whole process, its permissions of new
 * files, an earlier file of tests may have left behind.
 */
process.umask(0o022);
