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

const folder = () => path.join(process.env.XDG_CACHE_HOME || path.join(os.homedir(), '.cache'), 'svc');

/**
 * What was kept for this very text and this very Node, by the first word of the command: each needs other parts of the
 * program. Which word that is, is not known yet, for values of options stand before it; so all are looked for.
 */
function read(name, words) {
  for (const word of words) {
    const file = path.join(folder(), `${name}-${word}.code`);
    if (!fs.existsSync(file)) continue;
    try {
      if (isPrivate(folder())) return fs.readFileSync(file);
    } catch {}
  }
  return undefined;
}

/** Best effort: a home that cannot be written to costs time, not the command. */
function keep(file, code) {
  const within = path.dirname(file);
  try {
    fs.mkdirSync(within, { recursive: true, mode: 0o700 });
    if (!isPrivate(within)) return;
    const fresh = `${file}.${process.pid}`;
    fs.writeFileSync(fresh, code, { mode: 0o600 });
    fs.renameSync(fresh, file);
    // What other versions left; a week is long enough for two that are used in turn.
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
  const words = process.env.NODE_DISABLE_COMPILE_CACHE
    ? []
    : process.argv.slice(2).filter((word) => /^[a-z]{2,16}$/.test(word));
  const cachedData = read(name, words);
  const script = new vm.Script(source, { filename: file, ...(cachedData ? { cachedData } : {}) });
  const module_ = { exports: {} };
  script.runInThisContext()(module_.exports, require('node:module').createRequire(file), module_);
  // Words that are none of a command may be secrets: they are in no name of a file.
  const word = words.find((one) => module_.exports.FIRST_WORDS.has(one));
  if (word && (!cachedData || script.cachedDataRejected))
    process.once('exit', () => keep(path.join(folder(), `${name}-${word}.code`), script.createCachedData()));
  return module_.exports;
};
