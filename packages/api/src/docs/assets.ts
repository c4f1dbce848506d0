/** The only stylesheet of the pages. */
export const STYLE = `
:root {
  color-scheme: light dark; --line: #8884; --soft: #8881; --mark: light-dark(#fff3a3, #5c5200);
  --link: light-dark(#0550ae, #79b8ff); --keyword: light-dark(#a0111f, #ff7b72); --string: light-dark(#0a3069, #a5d6ff);
  --comment: light-dark(#57606a, #9aa4ae); --name: light-dark(#6639ba, #d2a8ff);
}
* { box-sizing: border-box; }
body { margin: 0; font: 16px/1.55 system-ui, sans-serif; }
body.page { display: grid; grid-template-columns: 16rem minmax(0, 1fr); }
.menu { padding: 1.5rem 1rem; border-right: 1px solid var(--line); height: 100vh; overflow: auto; position: sticky; top: 0; }
.menu h2 { font-size: .8rem; text-transform: uppercase; letter-spacing: .05em; margin: 1.2rem 0 .3rem; opacity: .7; }
.menu ul, .contents ul { list-style: none; margin: 0; padding: 0; font-size: .92rem; }
.menu input { width: 100%; padding: .35rem .5rem; font: inherit; border: 1px solid var(--line); border-radius: 4px; }
main { padding: 1.5rem 2rem 4rem; max-width: 60rem; }
.contents { border-left: 3px solid var(--line); padding: .2rem 0 .2rem 1rem; margin: 1rem 0; }
.contents p { margin: 0; font-size: .8rem; text-transform: uppercase; letter-spacing: .05em; opacity: .7; }
@media (min-width: 90rem) {
  body.page { grid-template-columns: 16rem minmax(0, 60rem) 16rem; }
  .contents { position: fixed; top: 1.5rem; left: calc(78rem); width: 15rem; max-height: 90vh; overflow: auto; }
}
a { color: var(--link); text-decoration: none; }
a:hover, a[aria-current] { text-decoration: underline; }
pre, code { font: .9em/1.45 ui-monospace, monospace; background: var(--soft); border-radius: 4px; }
code { padding: .1em .25em; }
pre { padding: .8rem 1rem; overflow-x: auto; }
pre code { padding: 0; background: none; }
.block { position: relative; }
.block button {
  position: absolute; top: .4rem; right: .4rem; font: .75rem system-ui, sans-serif; padding: .15rem .5rem; cursor: pointer;
  border: 1px solid var(--line); border-radius: 4px; background: Canvas; color: CanvasText; opacity: 0;
}
.block:hover button, .block button:focus-visible { opacity: 1; }
.hljs-keyword, .hljs-built_in, .hljs-literal { color: var(--keyword); }
.hljs-string, .hljs-number, .hljs-attr { color: var(--string); }
.hljs-comment, .hljs-meta { color: var(--comment); }
.hljs-title, .hljs-section, .hljs-variable, .hljs-type { color: var(--name); }
mark { background: var(--mark); color: inherit; border-radius: 2px; }
main img { max-width: 100%; height: auto; border: 1px solid var(--line); border-radius: 6px; }
table { border-collapse: collapse; display: block; overflow-x: auto; font-size: .92rem; }
th, td { border: 1px solid var(--line); padding: .3rem .6rem; text-align: left; vertical-align: top; }
.found li { margin: 0 0 .8rem; }
.home { max-width: 52rem; margin: 0 auto; padding: 4rem 1.5rem; }
.home h1 { font-size: 2.2rem; margin: 0; }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(15rem, 1fr)); gap: 1rem; padding: 0; list-style: none; }
.cards li { border: 1px solid var(--line); border-radius: 6px; padding: .8rem 1rem; }
.bar { padding: .6rem 1.5rem; border-bottom: 1px solid var(--line); background: Canvas; color: CanvasText; }
@media (max-width: 50rem) {
  body.page { display: flex; flex-direction: column-reverse; }
  .menu { height: auto; position: static; border: 0; border-top: 1px solid var(--line); }
  main { padding: 1rem; }
}
`.trim();

/** The only script of the pages: a button on each code block that copies its text. */
export const SCRIPT = `
for (const block of document.querySelectorAll('.block')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(block.querySelector('code').textContent);
      button.textContent = 'Copied';
    } catch {
      // Browsers allow the clipboard on secure addresses only: select the text, so that Ctrl-C copies it.
      getSelection().selectAllChildren(block.querySelector('code'));
      button.textContent = 'Selected';
    }
    setTimeout(() => { button.textContent = 'Copy'; }, 2000);
  });
  block.append(button);
}
`.trim();

export const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0550ae"/><path d="M8 10h16M8 16h16M8 22h10" stroke="#fff" stroke-width="3" stroke-linecap="round"/></svg>`;
