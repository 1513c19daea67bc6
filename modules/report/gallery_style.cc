#include "report/gallery_style.h"

#include "report/style.h"

namespace flyscribe {
namespace {

constexpr const char* kCards = R"css(
.cards{display:grid;grid-template-columns:repeat(auto-fill,minmax(232px,1fr));gap:.9rem;margin:1rem 0;padding:0;
list-style:none}
.card{border:1px solid var(--line);border-radius:10px;overflow:hidden;background:var(--panel);min-width:0}
.card a{color:inherit;text-decoration:none;display:block}
.card:hover,.card:focus-within{border-color:var(--accent)}
.card img{display:block;width:100%;height:auto;aspect-ratio:5/2;background:#fff}
.card div{padding:.5rem .7rem .6rem}
.card b{font-weight:640;overflow-wrap:anywhere}
.card small{color:var(--soft);display:block;font-size:.78rem;overflow-wrap:anywhere}
.card .says{font-size:.82rem;line-height:1.35;margin:.25rem 0 0;color:var(--ink);display:-webkit-box;
-webkit-line-clamp:3;-webkit-box-orient:vertical;overflow:hidden}
.card .none{color:var(--soft)}
.search{display:flex;gap:.8rem;align-items:center;margin:1.2rem 0 .4rem}
.search input{font:inherit;flex:1;max-width:34rem;padding:.55rem .8rem;border:1px solid var(--soft);border-radius:8px;
background:var(--paper);color:var(--ink)}
.search input:focus-visible{outline:3px solid var(--accent-soft);border-color:var(--accent)}
.search output{color:var(--soft);font-size:.9rem}
html:not(.scripted) .search{display:none}
.pager{display:flex;flex-wrap:wrap;gap:.3rem;margin:1rem 0;font-size:.88rem;align-items:center}
.pager a,.pager b{padding:.2rem .55rem;border:1px solid var(--line);border-radius:6px;text-decoration:none}
.pager b{background:var(--accent-soft);border-color:transparent;font-weight:600}
.pager a:hover{border-color:var(--accent)}
)css";

constexpr const char* kTermRows = R"css(
.ranked{width:100%}
.ranked td,.ranked th{vertical-align:middle}
.ranked tr.called th{font-weight:650}
.ranked tr:not(.called) th a{color:var(--ink)}
.ranked .map{width:330px;padding:.35rem 0 .35rem .7rem}
.ranked .map details{margin:.2rem 0}
.ranked .map img{display:block;width:322px;height:auto;border-radius:6px;border:1px solid var(--line);background:#fff}
.ranked .where{display:block;color:var(--soft);font-size:.78rem;font-weight:400}
.prob{display:inline-block;position:relative;width:150px;height:12px;background:var(--panel);
border:1px solid var(--line);border-radius:4px;vertical-align:-1px}
.prob i{position:absolute;left:0;top:0;bottom:0;background:var(--cached);border-radius:3px 0 0 3px}
.called .prob i,.prob.yes i{background:var(--accent)}
.prob u{position:absolute;top:-4px;bottom:-4px;width:2px;margin-left:-1px;background:var(--bad)}
.chip{display:inline-block;white-space:nowrap;background:var(--accent-soft);border-radius:6px;padding:.05rem .5rem;font-size:.78rem;
font-weight:600}
.chip.no{background:none;border:1px solid var(--line);color:var(--soft);font-weight:400}
.embryos{display:grid;grid-template-columns:repeat(auto-fill,minmax(300px,1fr));gap:1rem;margin:1rem 0}
.embryos img{display:block;width:100%;height:auto;border-radius:8px;border:1px solid var(--line);background:#fff}
.embryos figcaption{color:var(--soft);overflow-wrap:anywhere}
.terms-list{columns:3 250px;column-gap:2rem;list-style:none;padding:0;margin:.6rem 0 1.5rem;font-size:.92rem}
.terms-list li{display:flex;justify-content:space-between;gap:1rem;border-bottom:1px solid var(--line);padding:.2rem 0;
break-inside:avoid}
.terms-list span{color:var(--soft);white-space:nowrap;font-variant-numeric:tabular-nums;font-size:.86rem}
.crumbs{margin:1.6rem 0 0;font-size:.9rem;color:var(--soft)}
.maplegend{display:flex;gap:1.2rem;flex-wrap:wrap;font-size:.86rem;color:var(--soft);margin:.3rem 0 .8rem}
@media (max-width:1180px){.ranked .map{width:258px}.ranked .map img{width:250px}.prob{width:110px}
.ranked th,.ranked td{padding-left:.4rem;padding-right:.4rem}}
@media (max-width:760px){.ranked .map,.ranked .map img{width:200px}.prob{width:70px}}
)css";

// The list arrives by calls of flyscribeBags, one a file: [page, id, symbol, range, image, calls, words].
constexpr const char* kScript = R"js(
(function(){
"use strict";
document.documentElement.classList.add("scripted");
var box=document.getElementById("search");
if(!box)return;
var shown=document.getElementById("found"),said=document.getElementById("said"),rest=document.getElementById("browse");
var files=Number(box.dataset.files),root=box.dataset.root,bags=[],asked=false,missing=files,LIMIT=96;
window.flyscribeBags=function(part){bags=bags.concat(part);missing-=1;find();};
function load(){
  if(asked)return;
  asked=true;
  for(var i=0;i<files;i+=1){
    var script=document.createElement("script");
    script.src=root+"search/"+String(i).padStart(4,"0")+".js";
    script.onerror=function(){said.textContent="The list of bags could not be loaded; use the pages below.";};
    document.head.appendChild(script);
  }
}
function element(tag,name,text){
  var e=document.createElement(tag);
  if(name)e.className=name;
  if(text!==undefined)e.textContent=text;
  return e;
}
function card(bag){
  var item=element("li","card"),link=element("a"),words=element("div");
  link.href=root+"bags/"+bag[0]+".html";
  var image=element("img");
  image.loading="lazy";image.alt="";image.src=root+"images/"+bag[4];
  words.appendChild(element("b","",bag[2]||bag[1]));
  words.appendChild(element("small","",(bag[2]?bag[1]+" \u00b7 ":"")+bag[3]));
  words.appendChild(element("p",bag[5]?"says":"says none",bag[5]||"no call"));
  link.appendChild(image);link.appendChild(words);item.appendChild(link);
  return item;
}
function find(){
  var words=box.value.toLowerCase().split(/\s+/).filter(Boolean);
  rest.hidden=words.length>0;
  shown.textContent="";
  if(words.length===0){said.textContent="";return;}
  var hits=bags.filter(function(bag){
    return words.every(function(word){return bag[6].indexOf(word)>=0;});
  });
  hits.slice(0,LIMIT).forEach(function(bag){shown.appendChild(card(bag));});
  said.textContent=(missing>0?"loading\u2026 ":"")+hits.length+(hits.length===1?" bag":" bags")+
    (hits.length>LIMIT?", the first "+LIMIT+" shown":"");
}
box.addEventListener("focus",load);
box.addEventListener("input",function(){load();find();});
if(box.value){load();}
})();
)js";

}  // namespace

std::string GalleryStyle() { return PageStyle().str() + kCards + kTermRows; }

std::string GalleryScript() { return kScript; }

}  // namespace flyscribe
