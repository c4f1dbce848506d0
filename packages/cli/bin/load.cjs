// Loads the program with the machine code that V8 compiled last time, which halves the start time beyond Node itself.
// (Node has a compile cache since 22.1 only, and its default folder is shared by all users.)
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const vm = require('node:vm');

/** Cached code runs unchecked, so a folder that other users can write to is not used. */
function isPrivate(folder) {
  const { mode, uid } = fs.statSync(folder);
  return process.platform === 'win32' || (uid === process.getuid() && (mode & 0o022) === 0);
}

const folder = () => path.join(process.env.XDG_CACHE_HOME || path.join(os.homedir(), '.cache'), 'svc');

/**
 * Reads the cached code for exactly this program and Node version. There is one file per first word of the command,
 * because each command needs other parts of the program. Options may come first, so every argument is tried.
 */
function read(name, args) {
  for (const arg of args) {
    const file = path.join(folder(), `${name}-${arg}.code`);
    if (!fs.existsSync(file)) continue;
    try {
      if (isPrivate(folder())) return fs.readFileSync(file);
    } catch {}
  }
  return undefined;
}

/** Best effort: without a writable cache folder, commands only start more slowly. */
function save(file, code) {
  const within = path.dirname(file);
  try {
    fs.mkdirSync(within, { recursive: true, mode: 0o700 });
    if (!isPrivate(within)) return;
    const fresh = `${file}.${process.pid}`;
    fs.writeFileSync(fresh, code, { mode: 0o600 });
    fs.renameSync(fresh, file);
    // Remove files of other versions after a week, which is enough for two versions in alternating use.
    for (const name of fs.readdirSync(within)) {
      const other = path.join(within, name);
      if (/\.code(\.\d+)?$/.test(name) && Date.now() - fs.statSync(other).mtimeMs > 7 * 86_400_000)
        fs.unlinkSync(other);
    }
  } catch {}
}

module.exports = (file) => {
  const source = fs.readFileSync(file, 'latin1');
  const name = `${source.slice(2, 34)}-${process.version}-${process.arch}`;
  const args = process.env.NODE_DISABLE_COMPILE_CACHE
    ? []
    : process.argv.slice(2).filter((arg) => /^[a-z]{2,16}$/.test(arg));
  const cachedData = read(name, args);
  const script = new vm.Script(source, { filename: file, ...(cachedData ? { cachedData } : {}) });
  const module_ = { exports: {} };
  script.runInThisContext()(module_.exports, require('node:module').createRequire(file), module_);
  // Other arguments may be secrets, so they never appear in file names.
  const arg = args.find((one) => module_.exports.TOPICS.has(one));
  if (arg && (!cachedData || script.cachedDataRejected))
    process.once('exit', () => save(path.join(folder(), `${name}-${arg}.code`), script.createCachedData()));
  return module_.exports;
};
