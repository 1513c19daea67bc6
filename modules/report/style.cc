#include "report/style.h"

namespace flyscribe {
namespace {

constexpr const char* kColours = R"css(
:root{color-scheme:light dark;
--paper:#fff;--panel:#f6f7f9;--ink:#1b2430;--soft:#5a6675;--line:#dde2e8;--accent:#0072b2;--accent-soft:#cfe3f1;
--good:#00795a;--bad:#b94700;--bad-soft:#fbe3d3;--warn:#8a5a00;--warn-soft:#fff1cc;
--c0:#0072b2;--c1:#d55e00;--c2:#009e73;--c3:#b5588e;--c4:#e69f00;--c5:#56b4e9;
--more:#1b2430;--less:#e3a36a;--cached:#b9c2cc}
@media screen and (prefers-color-scheme:dark){:root{
--paper:#12161c;--panel:#1b2129;--ink:#e6eaf0;--soft:#9aa7b6;--line:#2e3742;--accent:#6bb8ea;--accent-soft:#22425a;
--good:#3fc79b;--bad:#ff9457;--bad-soft:#4d2a17;--warn:#f0b840;--warn-soft:#3f3315;
--c0:#5aa9e0;--c1:#f07f35;--c2:#2fc394;--c3:#dc8fbd;--c4:#f0b840;--c5:#8fd0f7;
--more:#e6eaf0;--less:#a8632a;--cached:#55606c}}
)css";

constexpr const char* kLayout = R"css(
*{box-sizing:border-box}
html{scroll-behavior:smooth;scroll-padding-top:3.5rem}
body{margin:0;background:var(--paper);color:var(--ink);
font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,"Liberation Sans",sans-serif}
main{max-width:1180px;margin:0 auto;padding:0 1.5rem 5rem}
a{color:var(--accent);text-underline-offset:.2em}
h1{font-size:2.3rem;line-height:1.15;letter-spacing:-.02em;margin:.1rem 0 1rem;font-weight:680;overflow-wrap:anywhere}
h2{font-size:1.5rem;letter-spacing:-.01em;margin:3.5rem 0 .3rem;font-weight:650}
h3{font-size:1.18rem;margin:2.6rem 0 .2rem;font-weight:650}
h4{font-size:1.1rem;margin:0 0 .8rem;font-weight:650}
h5{font-size:.8rem;margin:1rem 0 .4rem;font-weight:600;color:var(--soft)}
h4 small,figcaption small{font-weight:400;color:var(--soft);margin-left:.6em;font-size:.85rem}
h2.range{border-top:3px solid var(--ink);padding-top:.8rem}
h2.range+section h3{margin-top:1.2rem}
.lead{color:var(--soft);max-width:48rem;margin:0 0 1rem}
.note{color:var(--soft);font-size:.9rem}
.brand{margin:2.2rem 0 0;color:var(--accent);font-weight:650;letter-spacing:.02em}
nav{position:sticky;top:0;z-index:5;background:var(--paper);border-bottom:1px solid var(--line);font-size:.86rem}
nav>ul{max-width:1180px;margin:0 auto;padding:0 .9rem;display:flex;list-style:none}
nav li{position:relative}
nav a{display:block;padding:.65rem .6rem;color:var(--soft);text-decoration:none;white-space:nowrap}
nav a:hover,nav a:focus-visible{color:var(--ink);text-decoration:underline}
nav .menu>ul{display:none;position:absolute;left:0;list-style:none;margin:0;padding:.3rem 0;background:var(--paper);
border:1px solid var(--line);border-radius:0 0 8px 8px;box-shadow:0 8px 20px #0002}
nav .menu:hover>ul,nav .menu:focus-within>ul{display:block}
nav .menu>ul a{padding:.35rem .9rem}
.facts{display:grid;grid-template-columns:max-content 1fr;gap:.2rem 1.2rem;margin:0 0 1.5rem;font-size:.93rem}
.facts dt{color:var(--soft)}
.facts dd{margin:0;overflow-wrap:anywhere}
.headline{margin-top:.8rem;display:grid;grid-template-columns:14rem 1fr;gap:1.2rem;align-items:start}
.headline .tiles{margin:0;grid-template-columns:1fr 1fr 1.3fr}
.headline .note{margin:0;line-height:1.45}
.headline h2{font-size:1.15rem;margin:.5rem 0 .2rem}
.headline a{color:inherit;text-decoration:none}
.headline a:hover{text-decoration:underline}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(132px,1fr));gap:.7rem;margin:0 0 1rem}
.tile{background:var(--panel);border-radius:10px;padding:.8rem .95rem}
.tile b{display:block;font-size:1.55rem;line-height:1.2;font-weight:680;letter-spacing:-.01em;
font-variant-numeric:tabular-nums}
.tile span,.tile small{display:block;font-size:.84rem;line-height:1.35}
.tile small{color:var(--soft);margin-top:.15rem}
details{margin:.8rem 0}
summary{cursor:pointer;color:var(--accent);font-size:.93rem}
pre{background:var(--panel);border-radius:10px;padding:1rem;overflow:auto;font-size:.83rem;line-height:1.45}
.works{padding-left:1.1rem}
.works li{margin:.45rem 0;max-width:56rem;overflow-wrap:anywhere}
)css";

constexpr const char* kTables = R"css(
.scroll{overflow-x:auto;max-width:100%}
.tall{border:1px solid var(--line);border-radius:10px}
table{border-collapse:collapse;font-size:.88rem}
.scores{width:100%;border-collapse:separate;border-spacing:0}
.scores th,.scores td{padding-left:.34rem;padding-right:.34rem}
caption{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
th,td{padding:.38rem .7rem;text-align:left;border-bottom:1px solid var(--line);vertical-align:baseline}
thead th{color:var(--soft);font-weight:600;font-size:.8rem}
tbody th{font-weight:500}
td.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
td small{color:var(--soft)}
.scores thead th{position:sticky;top:0;background:var(--paper);z-index:2;text-align:right;
border-bottom:2px solid var(--line)}
.scores th:first-child{text-align:left;position:sticky;left:0;background:var(--paper);z-index:1;min-width:10rem}
.scores thead th:first-child{z-index:3}
.scores tbody tr:hover>*{background:var(--panel)}
.scores tfoot{position:sticky;bottom:0;z-index:2}
.scores tfoot th.name,.scores tfoot td{font-weight:620;background:var(--panel)}
.scores tfoot tr:first-child>*{border-top:2px solid var(--line)}
.scores th[aria-sort]{color:var(--ink)}
.scores th[aria-sort=descending]::after{content:" ↓"}
.scores th[aria-sort=ascending]::after{content:" ↑"}
.scripted th[tabindex]{cursor:pointer}
.baseline{color:var(--soft)}
.up{color:var(--good)}
.down{color:var(--bad)}
.few{margin-left:.4em;font-size:.72rem;color:var(--warn);border:1px solid currentColor;border-radius:4px;padding:0 .3em}
.bar{display:inline-block;position:relative;width:58px;height:9px;margin-right:.6em;
background:var(--accent-soft);border-radius:3px}
.bar i{display:block;height:100%;background:var(--accent);border-radius:3px}
.bar u{position:absolute;top:3px;height:3px;background:var(--ink);opacity:.6}
.bar::after{content:"";position:absolute;left:50%;top:-2px;bottom:-2px;width:1px;background:var(--ink)}
)css";

constexpr const char* kFigures = R"css(
figure{margin:0}
figcaption{font-size:.86rem;line-height:1.35;margin-top:.3rem}
.charts{display:grid;grid-template-columns:1fr 1fr;gap:1.5rem}
.chart{display:block;width:100%;height:auto}
.chart text{font-size:11.5px;fill:var(--soft);font-variant-numeric:tabular-nums}
.chart .axis{font-size:12.5px;fill:var(--ink)}
.grid{stroke:var(--line)}
.frame{stroke:var(--soft)}
.chance{stroke:var(--soft);stroke-dasharray:2 4}
.series,.swatch{fill:none;stroke-width:1.7;stroke-linejoin:round}
.series{transition:opacity .15s}
.series .hit{stroke:transparent;stroke-width:12;pointer-events:stroke}
.s0,.s6,.s12{stroke:var(--c0)}.s1,.s7,.s13{stroke:var(--c1)}.s2,.s8,.s14{stroke:var(--c2)}
.s3,.s9,.s15{stroke:var(--c3)}.s4,.s10,.s16{stroke:var(--c4)}.s5,.s11,.s17{stroke:var(--c5)}
.s6,.s7,.s8,.s9,.s10,.s11{stroke-dasharray:6 3}
.s12,.s13,.s14,.s15,.s16,.s17{stroke-dasharray:1.5 3}
.mean{stroke:var(--ink);stroke-width:3}
.dot{fill:var(--paper)}
.smalls{display:grid;grid-template-columns:repeat(auto-fill,minmax(180px,1fr));gap:1rem;margin-top:1.2rem}
.smalls figcaption{padding-left:1.2rem;margin-top:-1rem}
.smalls figcaption small{display:block;margin:0;color:var(--soft)}
.short{max-height:430px;overflow-y:auto;border:1px solid var(--line);border-radius:10px}
.short table{width:100%}
.short th,.short td{padding-left:.4rem;padding-right:.4rem}
.short thead th{position:sticky;top:0;background:var(--paper)}
.short .scroll{overflow:visible}
.short th:not(:first-child){text-align:right}
.fresh{fill:var(--accent);stroke:var(--accent)}
.cached{fill:var(--cached);stroke:var(--cached)}
.swatch.fresh,.swatch.cached{stroke-width:8}
rect.fresh,rect.cached{stroke:none}
.legend{list-style:none;margin:.8rem 0;padding:0;display:flex;flex-wrap:wrap;gap:.25rem 1.4rem;font-size:.86rem}
.legend li{display:flex;align-items:center;gap:.5rem;cursor:default}
.legend small{color:var(--soft);font-variant-numeric:tabular-nums}
.swatch{width:24px;height:8px;flex:none;stroke-width:2.4}
.swatch.mean{stroke-width:4}
.single .series:not(.chosen){opacity:.14}
.single .chosen{stroke-width:3}
.single .legend li:not(.chosen){opacity:.4}
.glyphs{display:grid;grid-template-columns:repeat(8,1fr);gap:.5rem;max-width:820px}
.glyph{display:block;width:100%;height:auto;background:var(--panel);border-radius:6px;fill:none;padding:4px}
.cells{stroke:var(--line);stroke-width:3}
.more{stroke:var(--more);stroke-width:9;stroke-linecap:round}
.less{stroke:var(--less);stroke-width:7;stroke-linecap:round}
)css";

constexpr const char* kGraph = R"css(
.graph{display:block;width:100%;height:auto}
.graph text{text-anchor:middle;fill:var(--ink)}
.graph .name{font-size:12.5px;font-weight:500}
.graph .state{font-size:11px}
.graph .title{font-size:12.5px;fill:var(--soft);text-anchor:start}
.band{fill:var(--panel)}
.way{fill:none;stroke:var(--soft);stroke-width:1.4}
.step{fill:var(--paper);stroke:var(--soft);stroke-width:1.5}
.node:hover .step{stroke-width:3}
.sheet{fill:var(--paper);stroke:var(--soft)}
.st-hit{stroke:var(--cached)}
.st-run{fill:var(--accent-soft);stroke:var(--accent)}
.st-running{stroke:var(--accent);stroke-width:3.5}
.st-failed{fill:var(--bad-soft);stroke:var(--bad);stroke-width:3}
.st-skipped{stroke:var(--bad);stroke-dasharray:6 3}
.st-not_run{stroke:var(--bad);stroke-dasharray:6 3}
.st-missing{fill:var(--warn-soft);stroke:var(--warn);stroke-dasharray:6 3}
.st-waiting{stroke:var(--accent);stroke-dasharray:2 3}
.st-pending{stroke-dasharray:2 3}
.st-unneeded{fill:var(--panel);stroke:var(--cached);stroke-dasharray:2 3}
.st-not_asked{stroke:var(--cached);stroke-dasharray:2 3}
.st-other{fill:var(--panel)}
.sample{width:28px;height:16px;flex:none}
)css";

constexpr const char* kExamples = R"css(
.example{border:1px solid var(--line);border-radius:12px;padding:1.1rem 1.2rem;margin:1rem 0}
.example .columns{display:grid;grid-template-columns:minmax(0,1.55fr) minmax(0,1fr);gap:1.8rem}
.store{position:absolute}
.pictures{display:grid;grid-template-columns:repeat(auto-fill,minmax(250px,1fr));gap:.9rem}
.pictures.small{grid-template-columns:repeat(auto-fill,minmax(150px,1fr));gap:.6rem}
.small figcaption{color:var(--soft);font-size:.78rem}
.embryo{display:block;width:100%;height:auto;background:var(--panel);border-radius:6px}
.key{list-style:none;padding:0;margin:0 0 1rem;display:flex;flex-wrap:wrap;gap:.2rem 1.4rem;font-size:.86rem}
.mark{display:inline-block;text-indent:0;width:1.3em;font-weight:700;text-align:center;margin-right:.25em}
.hit .mark,.mark.hit{color:var(--good)}
.wrong .mark,.mark.wrong{color:var(--bad)}
.missed .mark,.mark.missed{color:var(--warn)}
.mark.rightly-not,tr.rightly-not th{color:var(--soft)}
.spot{display:inline-block;width:1em;height:1em;border-radius:50%;vertical-align:-.12em;margin-right:.4em}
.warm{background:radial-gradient(#e8590c 20%,#e8590c55 60%,transparent 75%)}
.cold{background:radial-gradient(#0072b2aa 20%,#0072b244 60%,transparent 75%)}
.terms .label{margin:0 0 .3rem;font-size:.8rem;font-weight:600;color:var(--soft)}
.chips{list-style:none;margin:0 0 .9rem;padding:0;display:flex;flex-wrap:wrap;gap:.35rem}
.chips li{background:var(--accent-soft);border-radius:6px;padding:.12rem .55rem;font-size:.84rem}
.terms table{width:100%}
.terms th,.terms td{padding:.28rem .35rem}
.terms thead th:first-child{padding-left:0}
.terms thead th:last-child{text-align:right}
.terms tbody th{padding-left:1.55em;text-indent:-1.55em}
.pictures:not(.small) figcaption{padding-left:1.55em;text-indent:-1.55em}
.value{display:block;position:relative;width:90px;height:10px;background:var(--panel);border-radius:2px}
.value u{position:absolute;top:-3px;bottom:-3px;width:1px;background:var(--ink)}
.value i{position:absolute;left:0;top:0;bottom:0;background:var(--cached);border-radius:2px}
.hit .value i{background:var(--good)}
.wrong .value i{background:var(--bad)}
.missed .value i{background:var(--warn)}
)css";

constexpr const char* kScreens = R"css(
@media (max-width:900px){
.example .columns{grid-template-columns:minmax(0,1fr)}
nav>ul{overflow-x:auto}
nav .menu>ul,nav .menu:hover>ul,nav .menu:focus-within>ul{display:none}}
@media (max-width:700px){
main{padding:0 1rem 3rem}
h1{font-size:1.7rem}
.charts{grid-template-columns:1fr}
.facts{grid-template-columns:1fr;gap:0}
.facts dd{margin-bottom:.5rem}
.tiles{grid-template-columns:1fr 1fr}
.headline{grid-template-columns:1fr;gap:.5rem;margin-top:1.4rem}
.headline .tiles{grid-template-columns:1fr 1fr;gap:.5rem}
.headline .tile:nth-child(3){grid-column:1/-1}
.scores tfoot{position:static}
.example{padding:.9rem}
.scores th:first-child{min-width:8rem;max-width:9rem}
.glyphs{grid-template-columns:repeat(4,1fr)}}
@media print{
body{font-size:11pt;print-color-adjust:exact;-webkit-print-color-adjust:exact}
h2,h3,.lead,.key{break-after:avoid}
.hit{display:none}
.graph{min-width:0!important}
tfoot{display:table-row-group}
nav{display:none}
main{max-width:none;padding:0}
.tall{border:0;overflow:visible}
.short{border:0;max-height:none;overflow:visible}
.example,figure,tr,.tile{break-inside:avoid}
.scores th,.scores tfoot{position:static!important}}
@media (prefers-reduced-motion:reduce){html{scroll-behavior:auto}.series{transition:none}}
)css";

constexpr const char* kScript = R"js(
(function(){
document.documentElement.classList.add("scripted");
function value(row,column){var v=row.cells[column].dataset.v;return v===""?NaN:(isNaN(v)?v:Number(v));}
function compare(a,b){if(typeof a==="string"||typeof b==="string")return String(a).localeCompare(String(b));return a-b;}
document.querySelectorAll("table.sortable").forEach(function(table){
  var heads=Array.from(table.tHead.rows[0].cells);
  heads.forEach(function(head,column){
    head.tabIndex=0;
    function sort(){
      var first=column===0?"ascending":"descending",other=column===0?"descending":"ascending";
      var way=head.getAttribute("aria-sort")===first?other:first;
      heads.forEach(function(h){h.removeAttribute("aria-sort");});
      head.setAttribute("aria-sort",way);
      var sign=way==="ascending"?1:-1,body=table.tBodies[0];
      Array.from(body.rows).sort(function(p,q){
        var a=value(p,column),b=value(q,column),x=Number.isNaN(a),y=Number.isNaN(b);
        if(x||y)return x-y;
        return sign*compare(a,b);
      }).forEach(function(row){body.appendChild(row);});
    }
    head.addEventListener("click",sort);
    head.addEventListener("keydown",function(e){if(e.key==="Enter"||e.key===" "){e.preventDefault();sort();}});
  });
});
document.querySelectorAll("figure.curves").forEach(function(figure){
  figure.querySelectorAll("[data-series]").forEach(function(item){
    var same=figure.querySelectorAll('[data-series="'+item.dataset.series+'"]');
    function choose(on){figure.classList.toggle("single",on);
      same.forEach(function(s){s.classList.toggle("chosen",on);});}
    item.addEventListener("mouseenter",function(){choose(true);});
    item.addEventListener("mouseleave",function(){choose(false);});
  });
});
})();
)js";

}  // namespace

Html PageStyle() {
  Html style;
  for (const char* part : {kColours, kLayout, kTables, kFigures, kGraph, kExamples, kScreens})
    style += Html::Trusted(part);
  return style;
}

Html PageScript() { return Html::Trusted(kScript); }

}  // namespace flyscribe
