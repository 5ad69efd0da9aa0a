/** The caller's environment with these settings of an archive and none of the caller's own; those of the test run stay. */
export function ownEnvironment(settings: Record<string, string>): NodeJS.ProcessEnv {
  const isSetting = (name: string) =>
    /^(RUSHES_(?!TEST)|(GOOGLE|MICROSOFT|FACEBOOK|TWITTER)_|SMTP_URL$|npm_|PORT$|DATABASE_URL$|VITEST)/.test(name);
  return { ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !isSetting(name))), ...settings };
}
