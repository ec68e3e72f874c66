// How the walls look: quiet, so that the films are what one sees.

export const wallStyle = `
:root {
  color-scheme: light dark;
  --page: light-dark(#f6f6f4, #131314);
  --card: light-dark(#fff, #1d1d1f);
  --line: light-dark(#e4e4e0, #2c2c30);
  --text: light-dark(#1c1c1e, #ececee);
  --faint: light-dark(#77777c, #8f8f96);
}
* { box-sizing: border-box; margin: 0; }
body { background: var(--page); color: var(--text); font: 14px/1.45 system-ui, sans-serif; }
header { display: flex; flex-wrap: wrap; align-items: baseline; gap: 4px 16px; padding: 28px 32px 20px; }
header time { margin-left: auto; }
h1 { font-size: 20px; font-weight: 650; letter-spacing: -0.01em; }
header p, time, .empty { color: var(--faint); }
time { font-size: 12px; white-space: nowrap; }
main { display: grid; grid-auto-flow: column; grid-auto-columns: 248px; gap: 20px; align-items: start;
  overflow-x: auto; padding: 0 32px 40px; scrollbar-width: thin; }
h2 { display: flex; align-items: center; gap: 8px; padding: 8px 2px 10px; font-size: 14px; font-weight: 600; }
h2 i { width: 9px; height: 9px; border-radius: 50%; background: var(--brand); outline: 1px solid var(--line); }
h2 span { margin-left: auto; color: var(--faint); font-weight: 400; font-variant-numeric: tabular-nums; }
article { margin-bottom: 16px; overflow: hidden; background: var(--card); border: 1px solid var(--line); border-radius: 12px; }
video { display: block; width: 100%; max-height: 440px; background: #000; }
article div { padding: 10px 12px 12px; }
.by { display: flex; justify-content: space-between; gap: 8px; align-items: baseline; }
.by b { overflow: hidden; font-weight: 600; text-overflow: ellipsis; white-space: nowrap; }
h3 { margin-top: 6px; font-size: 14px; font-weight: 600; }
.caption { display: -webkit-box; margin-top: 4px; overflow: hidden; overflow-wrap: anywhere; white-space: pre-line;
  -webkit-box-orient: vertical; -webkit-line-clamp: 8; }
ul { display: flex; flex-wrap: wrap; gap: 4px; padding: 0; margin-top: 10px; list-style: none; }
li { padding: 1px 8px; color: var(--faint); border: 1px solid var(--line); border-radius: 99px; font-size: 12px; }
.empty { padding: 40px 0; text-align: center; border: 1px dashed var(--line); border-radius: 12px; }
`
