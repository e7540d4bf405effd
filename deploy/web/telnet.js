// The client's side of telnet (RFC 854, 855), without any I/O: bytes from the house go in; text for
// the terminal comes out, and bytes to send back.
const IAC = 255, DONT = 254, DO = 253, WONT = 252, WILL = 251, SB = 250, SE = 240;
const BINARY = 0, ECHO = 1, GO_AHEAD = 3, TIMING_MARK = 6, TERMINAL_TYPE = 24, WINDOW_SIZE = 31;
const ENVIRON = 39; // RFC 1572
const IS = 0, SEND = 1, VALUE = 1, USERVAR = 3;

export class Telnet {
    // names: what the house is told about this terminal, one name for each question (RFC 1091);
    // zone: the time zone of the person, which the house asks for as the variable TZ;
    // size: a function that returns [columns, rows], or null; send: a function that takes bytes;
    // echo: called with true when the house shows what is typed, or hides it.
    constructor({names, zone, size, send, echo}) {
        Object.assign(this, {names, zone, size, send, echo});
        this.asked = 0; // how many names the house has asked for
        this.ours = new Set(); // the options that are on at our side, and at the house's side
        this.theirs = new Set();
        this.step = this.readText;
    }

    // Takes bytes from the house; returns the bytes for the terminal.
    receive(bytes) {
        this.text = [];
        for (const byte of bytes) {
            this.step = this.step(byte);
        }
        return Uint8Array.from(this.text);
    }

    sendSize() {
        if (this.ours.has(WINDOW_SIZE)) {
            const [columns, rows] = this.size();
            const bytes = [columns >> 8, columns & 255, rows >> 8, rows & 255];
            this.sendPart(WINDOW_SIZE, bytes.flatMap(byte => byte === IAC ? [IAC, IAC] : [byte]));
        }
    }

    sendPart(option, bytes) {
        this.send(Uint8Array.of(IAC, SB, option, ...bytes, IAC, SE));
    }

    // The steps of the parser: each takes a byte and returns the next step.

    readText(byte) {
        if (byte === IAC) {
            return this.readCommand;
        }
        this.text.push(byte);
        return this.readText;
    }

    readCommand(byte) {
        if (byte === IAC) {
            this.text.push(byte);
        } else if (byte === SB) {
            this.part = [];
            return this.readPart;
        } else if (byte >= WILL) {
            return option => this.answer(byte, option);
        }
        return this.readText;
    }

    readPart(byte) {
        if (byte === IAC) {
            return end => {
                if (end === IAC) {
                    this.part.push(end);
                } else if (end === SE && this.part[0] === TERMINAL_TYPE && this.part[1] === SEND) {
                    const name = this.names[Math.min(this.asked++, this.names.length - 1)];
                    this.sendPart(TERMINAL_TYPE, [IS, ...new TextEncoder().encode(name)]);
                } else if (end === SE && this.part[0] === ENVIRON && this.part[1] === SEND) {
                    const text = words => new TextEncoder().encode(words);
                    this.sendPart(ENVIRON, [IS, USERVAR, ...text("TZ"), VALUE, ...text(this.zone)]);
                }
                return end === SE ? this.readText : this.readPart;
            };
        }
        this.part.push(byte);
        return this.readPart;
    }

    // Answers a change of an option, but no confirmation of its present state (RFC 1143).
    answer(verb, option) {
        const isOurs = verb === DO || verb === DONT, isOn = verb === DO || verb === WILL;
        const known = isOurs ? [BINARY, GO_AHEAD, TERMINAL_TYPE, ENVIRON, ...(this.size ? [WINDOW_SIZE] : [])]
            : [BINARY, ECHO, GO_AHEAD];
        const side = isOurs ? this.ours : this.theirs, isAgreed = isOn && known.includes(option);
        if (isOurs && isOn && option === TIMING_MARK) {
            this.send(Uint8Array.of(IAC, WILL, option));
        } else if (isAgreed !== side.has(option) || isOn !== isAgreed) {
            side[isAgreed ? "add" : "delete"](option);
            this.send(Uint8Array.of(IAC, isOurs ? (isAgreed ? WILL : WONT) : (isAgreed ? DO : DONT), option));
        }
        if (option === WINDOW_SIZE) {
            this.sendSize();
        }
        this.echo(this.theirs.has(ECHO));
        return this.readText;
    }
}
