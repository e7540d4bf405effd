// The house in a browser: a terminal (xterm.js) or, with "?plain", lines for a screen reader. Both
// speak telnet to the house through a WebSocket; trickhouse-web carries it on.
import {Terminal} from "xterm";
import {fit} from "xterm/lib/addons/fit/fit";
import "/usr/share/javascript/xterm/xterm.css";
import "./page.css";
import {Telnet} from "./telnet.js";

const LINES_MAX = 1000; // most lines kept in plain mode
const at = id => document.getElementById(id);

// Makes sequences work that set several modes, such as "ESC [ ? 1006 ; 1000 h", which turns the mouse
// on: xterm.js 3.8.1 forgets their "?".
function setModesOneByOne(terminal) {
    const input = terminal._core._inputHandler;
    for (const name of ["setMode", "resetMode"]) {
        const change = input[name].bind(input);
        input[name] = (modes, prefix) => modes.forEach(mode => change([mode], prefix));
    }
}

// The screen: a terminal that fills the page. `type` takes what the person types.
function openScreen(place, type) {
    const terminal = new Terminal({
        fontSize: 16,
        fontFamily: "'DejaVu Sans Mono', Menlo, Consolas, monospace",
        theme: {background: "#101410"},
        scrollback: 0,
        bellStyle: "sound",
    });
    window.terminal = terminal; // for the console of the browser, and for tests
    terminal.open(place);
    setModesOneByOne(terminal);
    terminal.on("data", type);
    terminal.on("title", title => { document.title = title || "Trickhouse"; });
    // The browser pastes with Ctrl-V, and copies with Ctrl-C if something is selected.
    terminal.attachCustomKeyEventHandler(event => !(event.ctrlKey && !event.altKey &&
        (event.key === "v" || (event.key === "c" && terminal.hasSelection()))));
    const resizeText = step => {
        terminal.setOption("fontSize", Math.min(Math.max(terminal.getOption("fontSize") + step, 8), 40));
        fit(terminal);
        terminal.focus();
    };
    at("smaller").onclick = () => resizeText(-1);
    at("larger").onclick = () => resizeText(1);
    window.addEventListener("resize", () => fit(terminal));
    fit(terminal);
    return {
        names: ["XTERM-256COLOR"],
        size: () => [terminal.cols, terminal.rows],
        onResize: tell => terminal.on("resize", tell),
        write: text => terminal.write(text),
        begin: () => { terminal.reset(); terminal.focus(); },
        echo: () => {},
    };
}

// Plain lines: a log that screen readers read aloud, and a field to type in.
function openLines(place, type) {
    const line = at("line");
    let last;
    place.className = "plain";
    place.setAttribute("role", "log");
    place.setAttribute("aria-live", "polite");
    const startLine = () => { last = place.appendChild(document.createElement("div")); };
    const write = text => {
        text.replace(/[\x00-\x09\x0b-\x1f\x7f]/g, "").split("\n").forEach((words, i) => {
            if (i > 0) {
                startLine();
            }
            last.append(words);
        });
        while (place.children.length > LINES_MAX) {
            place.firstChild.remove();
        }
        place.scrollTop = place.scrollHeight;
    };
    at("form").hidden = false;
    at("form").onsubmit = event => {
        event.preventDefault();
        if (line.type === "text") {
            write(line.value + "\n");
        }
        type(line.value + "\r");
        line.value = "";
    };
    at("smaller").hidden = at("larger").hidden = true;
    at("other").textContent = "The drawn screen";
    at("other").href = "?";
    startLine();
    return {
        // an MTTS client: its name, its terminal, and that it reads aloud (64) UTF-8 (4)
        names: ["TRICKHOUSE-PAGE", "DUMB", "MTTS 68"],
        size: null,
        onResize: () => {},
        write,
        begin: () => line.focus(),
        // when the house takes over the echo, it asks for a secret
        echo: isHidden => { line.type = isHidden ? "password" : "text"; },
    };
}

let socket;
const send = bytes => socket && socket.readyState === WebSocket.OPEN && socket.send(bytes);
const type = text => send(new TextEncoder().encode(text));
const view = (location.search === "?plain" ? openLines : openScreen)(at("house"), type);
let telnet;
view.onResize(() => telnet && telnet.sendSize());

function connect() {
    const decoder = new TextDecoder();
    const url = new URL("house", location.href);
    url.protocol = url.protocol.replace("http", "ws");
    url.search = "";
    at("back").hidden = true;
    telnet = new Telnet({...view, zone: Intl.DateTimeFormat().resolvedOptions().timeZone, send});
    socket = new WebSocket(url);
    socket.binaryType = "arraybuffer";
    socket.onopen = view.begin;
    socket.onmessage = event => view.write(
        decoder.decode(telnet.receive(new Uint8Array(event.data)), {stream: true}));
    socket.onclose = event => {
        at("back").textContent = `${event.reason || "The connection is lost."} Press Enter to come back.`;
        at("back").hidden = false;
        at("back").focus();
    };
}

at("back").onclick = connect;
connect();
