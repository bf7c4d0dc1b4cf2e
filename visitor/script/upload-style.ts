/** Style of upload fields, which is part of their script. */
export const STYLE = `.cf-form .cf-drop{position:relative;display:flex;flex-wrap:wrap;align-items:center;justify-content:center;gap:.625rem .875rem;min-block-size:6.5rem;padding:1.25rem;border:1.5px dashed var(--cf-line);border-radius:var(--cf-radius);background:var(--cf-control);text-align:center;font-weight:400;transition:border-color .15s,background-color .15s}
.cf-form .cf-drop>input[type=file]{position:absolute;inset:0;inline-size:100%;block-size:100%;min-block-size:0;margin:0;padding:0;opacity:0;cursor:pointer;font-size:0}
.cf-pick{padding:.5625rem 1.125rem;border-radius:calc(var(--cf-radius)*.7);background:var(--cf-tint);color:var(--cf-accent);font-weight:600}
.cf-say{color:var(--cf-muted)}
.cf-drop:hover{border-color:var(--cf-text)}
.cf-drop:has(:focus-visible){outline:2px solid var(--cf-accent);outline-offset:2px}
.cf-drop:has([aria-invalid=true]){border-color:var(--cf-error)}
.cf-dragging .cf-drop{border-color:var(--cf-accent);background:var(--cf-tint)}
.cf-dragging .cf-over{border-style:solid;outline:3px solid var(--cf-accent)}
.cf-here{display:none;font-weight:650;color:var(--cf-accent)}
.cf-dragging .cf-here{display:inline}
.cf-dragging :is(.cf-say,.cf-pick){display:none}
.cf-form .cf-has-files{min-block-size:4.75rem;padding-block:.75rem}
@media not ((hover:hover) and (pointer:fine)){.cf-say{display:none}.cf-form .cf-drop{min-block-size:5rem}}
.cf-form ul.cf-files{margin:.75rem 0 0;padding:0;list-style:none;display:grid;gap:.5rem}
.cf-form li.cf-file{display:grid;grid-template-columns:3rem minmax(0,1fr) auto;align-items:center;gap:.25rem .875rem;margin:0;padding:.5rem .25rem .5rem .5rem;border-radius:var(--cf-radius);box-shadow:inset 0 0 0 1px var(--cf-soft-line)}
.cf-form li[data-state=failed]{box-shadow:inset 0 0 0 1px var(--cf-error)}
.cf-thumb{display:grid;place-items:center;inline-size:3rem;block-size:3rem;border-radius:calc(var(--cf-radius)*.65);overflow:hidden;background:var(--cf-tint);color:var(--cf-accent);font:700 .75rem/1 var(--cf-font)}
.cf-thumb canvas{display:block;inline-size:100%;block-size:100%}
li>span>.cf-file-name{font-weight:550;line-height:1.35;overflow-wrap:anywhere;display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2;overflow:hidden}
li .cf-file-state{display:block;font-size:.875rem;font-variant-numeric:tabular-nums}
[data-state=failed] .cf-file-state{color:var(--cf-error);font-weight:550}
[data-state=done] .cf-file-state::before{content:"\\2713\\a0"/"";color:var(--cf-success);font-weight:800}
.cf-file-buttons{display:flex;flex-wrap:wrap;justify-content:end}
.cf-form .cf-file-buttons>button{min-block-size:2.75rem;min-inline-size:0;margin:0;padding:0 .625rem;border:0;border-radius:.5rem;background:none;box-shadow:none;color:inherit;font:600 .9375rem var(--cf-font);text-decoration:underline;text-underline-offset:.2em;cursor:pointer}
.cf-file-buttons>button:focus-visible{outline:2px solid var(--cf-accent);outline-offset:-2px}
.cf-form .cf-file progress{grid-column:2/-1;appearance:none;display:block;inline-size:calc(100% - .5rem);block-size:.375rem;margin:0;border:0;border-radius:9rem;background:var(--cf-soft-line);overflow:hidden}
.cf-file progress::-webkit-progress-bar{background:var(--cf-soft-line)}
.cf-file progress::-webkit-progress-value{background:var(--cf-accent);transition:inline-size .2s}
.cf-file progress::-moz-progress-bar{background:var(--cf-accent)}
.cf-form .cf-sum{margin:.5rem 0 0;color:var(--cf-muted);font-size:.875rem}
.cf-form .cf-announced{position:absolute;inline-size:1px;block-size:1px;margin:0;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
:is(.cf-sum,.cf-problems):empty,.cf-file [hidden],ul.cf-files[hidden]{display:none!important}
@media (width<30rem){[data-state=failed] .cf-file-buttons{grid-column:2/-1;justify-content:start;margin-inline-start:-.625rem}}
@media (prefers-reduced-motion:reduce){.cf-drop,.cf-file progress::-webkit-progress-value{transition:none!important}}
@media (forced-colors:active){.cf-pick,li.cf-file{border:1px solid}.cf-form .cf-file progress{appearance:auto}.cf-dragging .cf-over{outline-color:Highlight}}`;
