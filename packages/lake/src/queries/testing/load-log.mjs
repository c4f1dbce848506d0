// Logs on standard error what is loaded.
export async function load(url, context, next) {
  process._rawDebug(url);
  return next(url, context);
}
