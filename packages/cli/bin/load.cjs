// Loads the program with the code that V8 compiled the last time, which halves what a command takes beyond Node itself.
// (Node has that built in from 22.1 on only, and by default in a folder of all users.)
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const vm = require('node:vm');

/** Compiled code is run as it is: a folder that others may write to is not used. */
function isPrivate(folder) {
  const { mode, uid } = fs.statSync(folder);
  return process.platform === 'win32' || (uid === process.getuid() && (mode & 0o022) === 0);
}

/** Where the code of this very file, compiled by this very Node, is kept. */
function cacheOf(file) {
  const { size, mtimeMs } = fs.statSync(file);
  const folder = path.join(process.env.XDG_CACHE_HOME || path.join(os.homedir(), '.cache'), 'svc');
  const name = `${size}-${Math.round(mtimeMs)}-${process.version}-${process.arch}.code`;
  return { folder, kept: path.join(folder, name) };
}

function read({ folder, kept }) {
  try {
    return isPrivate(folder) ? fs.readFileSync(kept) : undefined;
  } catch {
    return undefined;
  }
}

/** Best effort: a home that cannot be written to costs time, not the command. */
function keep({ folder, kept }, code) {
  try {
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (!isPrivate(folder)) return;
    const fresh = `${kept}.${process.pid}`;
    fs.writeFileSync(fresh, code, { mode: 0o600 });
    fs.renameSync(fresh, kept);
    // What other versions left; a week is long enough for two that are used in turn.
    for (const name of fs.readdirSync(folder)) {
      const other = path.join(folder, name);
      if (/\.code(\.\d+)?$/.test(name) && Date.now() - fs.statSync(other).mtimeMs > 7 * 86_400_000)
        fs.unlinkSync(other);
    }
  } catch {}
}

module.exports = (file) => {
  const cache = process.env.NODE_DISABLE_COMPILE_CACHE ? undefined : cacheOf(file);
  const cachedData = cache && read(cache);
  const source = `(function (exports, require, module) {${fs.readFileSync(file, 'utf8')}\n})`;
  const script = new vm.Script(source, { filename: file, ...(cachedData ? { cachedData } : {}) });
  const module_ = { exports: {} };
  script.runInThisContext()(module_.exports, require('node:module').createRequire(file), module_);
  if (cache && (!cachedData || script.cachedDataRejected))
    process.once('exit', () => keep(cache, script.createCachedData()));
  return module_.exports;
};
