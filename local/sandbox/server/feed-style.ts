// The stylesheet of the feed page.

export const feedStyle = `
:root {
  color-scheme: light dark;
  --page: light-dark(#f4f4f1, #121213);
  --card: light-dark(#fff, #1c1c1e);
  --line: light-dark(#e5e5e0, #2b2b2f);
  --text: light-dark(#1b1b1d, #ededef);
  --faint: light-dark(#74747a, #92929a);
}
* { box-sizing: border-box; margin: 0; }
body { background: var(--page); color: var(--text); font: 13px/1.45 system-ui, sans-serif; }
header { display: flex; flex-wrap: wrap; align-items: baseline; gap: 4px 14px; padding: 26px 28px 18px; }
header time { margin-left: auto; }
a { color: inherit; text-decoration: none; }
a:hover { text-decoration: underline; }
h1 { font-size: 20px; font-weight: 650; letter-spacing: -0.01em; }
header p, time, .empty { color: var(--faint); }
time { font-size: 11px; white-space: nowrap; }
main { display: grid; grid-template-columns: repeat(10, minmax(166px, 1fr)); gap: 14px; align-items: start;
  overflow-x: auto; padding: 0 28px 36px; scrollbar-width: thin; }
section { min-width: 0; scroll-margin: 90px 28px 0;
  --mark: light-dark(var(--brand), color-mix(in oklab, var(--brand) 72%, #fff)); }
h2 { display: flex; align-items: center; gap: 7px; padding: 8px 2px; margin-bottom: 10px; font-size: 13px; font-weight: 600;
  border-bottom: 2px solid var(--mark); }
h2 span { margin-left: auto; color: var(--faint); font-weight: 400; font-variant-numeric: tabular-nums; }
section:target h2 { color: var(--mark); }
article { margin-bottom: 14px; overflow: hidden; background: var(--card); border: 1px solid var(--line); border-radius: 12px; }
.by { display: flex; gap: 7px; align-items: center; padding: 8px 10px; }
.by i { display: grid; flex: none; place-items: center; width: 22px; height: 22px; color: #fff; background: var(--mark);
  border-radius: 50%; font-size: 11px; font-style: normal; font-weight: 600; }
.by b { overflow: hidden; font-weight: 600; text-overflow: ellipsis; white-space: nowrap; }
.by time { margin-left: auto; }
video { display: block; width: 100%; max-height: 460px; background: #000; object-fit: contain; }
article div { padding: 9px 10px 11px; }
h3 { font-size: 13px; font-weight: 600; }
.caption { display: -webkit-box; overflow: hidden; overflow-wrap: anywhere; white-space: pre-line;
  -webkit-box-orient: vertical; -webkit-line-clamp: 8; }
h3 + .caption { margin-top: 3px; color: var(--faint); }
ul { display: flex; flex-wrap: wrap; gap: 4px; padding: 0; margin-top: 8px; list-style: none; }
li { max-width: 100%; padding: 0 7px; overflow: hidden; color: var(--faint); border: 1px solid var(--line); border-radius: 99px;
  font-size: 11px; text-overflow: ellipsis; white-space: nowrap; }
.single { grid-template-columns: minmax(0, 380px); justify-content: center; }
.single video { max-height: 680px; }
.single .caption { display: block; }
.empty { padding: 36px 0; text-align: center; border: 1px dashed var(--line); border-radius: 12px; }
`
