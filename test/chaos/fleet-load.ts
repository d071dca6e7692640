/**
 * Generates load for a fleet whose kernels are killed: chats with turns, tools, operations, sleep, a queue and
 * schedules.
 */
import { expect } from 'vitest';
import type { EventStream } from '../harness/event-stream.ts';
import type { FleetKernel } from '../harness/fleet.ts';
import type { ScriptedReply, ScriptedStep } from '../upstream/reply.ts';
import type { FleetTimes } from './fleet-times.ts';

/** How long a message is retried. */
const PATIENCE_MS = 120_000;
/** Longer than any turn of this load takes. */
const BUSY_MS = 60_000;
const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms));

/** An acknowledged message. */
export interface Sent {
  chat: string;
  text: string;
  stream: EventStream;
  /** The kernel that its viewer is connected to. */
  at: FleetKernel;
}

/** An acknowledged schedule. */
interface Planned {
  id: string;
  chat: string;
  text: string;
}

export class FleetLoad {
  readonly chats: string[] = [];
  readonly sent: Sent[] = [];
  readonly planned: Planned[] = [];
  /** How often a client was asked for the result of each operation. */
  readonly answered = new Map<string, number>();
  readonly #over = new Set<EventStream>();
  readonly #kernels: readonly FleetKernel[];
  readonly #dice: (below: number) => number;
  #made = 0;

  /** @param kernels those that accept requests now @param dice returns a number below its argument */
  constructor(kernels: readonly FleetKernel[], dice: (below: number) => number) {
    this.#kernels = kernels;
    this.#dice = dice;
  }

  /** Creates chats, each of which works in this folder of the kernel that created it. Returns their ids. */
  async makeChats(count: number, workdir: string): Promise<string[]> {
    const made = Array.from({ length: count }, async () => {
      const { id } = await this.kernel().api.newChat({ workdir, workdir_on: 'server' });
      return id as string;
    });
    this.chats.push(...(await Promise.all(made)));
    return this.chats;
  }

  /** Whether a stream has ended. */
  isOver(stream: EventStream): boolean {
    return this.#over.has(stream);
  }

  /** Returns a random kernel. */
  kernel(): FleetKernel {
    return this.#kernels[this.#dice(this.#kernels.length)] as FleetKernel;
  }

  /**
   * Scripts the model: it thinks, writes slowly, runs a command that leaves a mark, asks its client, sleeps; about
   * every third answer ends its turn.
   * @param marks the file of the marks
   */
  reply(marks: string): ScriptedReply {
    const words = Array.from({ length: 1 + this.#dice(20) }, (_, n) => `word${n} `);
    const steps: ScriptedStep[] = [
      { thinking: ['hm ', 'so '], delay_ms: 2 },
      { text: words, delay_ms: 1 + this.#dice(25) },
    ];
    for (let calls = this.#dice(3); calls > 0; calls--) {
      const id = `call_${this.#made++}`;
      const command = { id, name: 'shell', input: { commands: [`echo ${id} >> ${marks}`] } };
      steps.push({ call: this.#dice(2) === 0 ? command : { id, name: 'scan', input: {} } });
    }
    if (this.#dice(8) === 0)
      steps.push({
        call: { id: `call_${this.#made++}`, name: 'sleep', input: { seconds: 1 + this.#dice(5) } },
      });
    return { steps };
  }

  /** Sends a message with one key until any kernel acknowledges it. */
  async post(chat: string, text: string): Promise<void> {
    const body = { text, extra_tools: [{ name: 'scan', description: 'Scans.', timeout_secs: 3 }] };
    const { at, answer: stream } = await this.#untilTaken(at =>
      at.api.turn(chat, body, { 'idempotency-key': text }),
    );
    this.sent.push({ chat, text, stream, at });
    const end = () => this.#over.add(stream);
    stream.closed().then(end, end);
    void this.#work(chat, stream);
  }

  /** Creates a schedule that is due soon. A schedule without acknowledgment may still exist, with another text. */
  async plan(chat: string, name: string): Promise<void> {
    let attempt = 0;
    let text = name;
    const { answer } = await this.#untilTaken(async ({ api }) => {
      text = `${name}, attempt ${attempt++}`;
      const at = new Date(Date.now() + 1000 + this.#dice(3000)).toISOString();
      const { status, body } = await api.post('/v1/schedules', { text, at, chat_id: chat });
      if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`);
      return body.id as string;
    });
    this.planned.push({ id: answer, chat, text });
  }

  /** Whether each acknowledged schedule has begun a turn. */
  async #haveBegun(): Promise<boolean> {
    const { api } = this.kernel();
    for (const { id } of this.planned) {
      if ((await api.get(`/v1/schedules/${id}/runs`)).body.runs.length === 0) return false;
    }
    return true;
  }

  /**
   * Waits until all schedules have run, all turns of all chats have ended, and the chats show it. Gives up after a
   * minute without any change.
   */
  async idle(times: FleetTimes): Promise<void> {
    let deadline = 0;
    for (let before = ''; ; ) {
      // Ask this first, so that everything that has begun by then is among the turns.
      const haveBegun = await this.#haveBegun();
      const open = await times.openTurns();
      const now = JSON.stringify({ haveBegun, open });
      if (haveBegun && open.length === 0) break;
      if (now !== before) deadline = Date.now() + BUSY_MS;
      if (Date.now() > deadline) throw new Error(`these stay open: ${now}\n${this.#logs()}`);
      before = now;
      await pause(100);
    }
    for (const chat of this.chats)
      expect((await this.kernel().api.get(`/v1/chats/${chat}`)).body.turn).toBeNull();
  }

  /** The ends of the kernels' logs. */
  #logs(): string {
    const last = ({ name, id, log }: FleetKernel) => `--- ${name} (${id})\n${log().slice(-4000)}`;
    return this.#kernels.map(last).join('\n');
  }

  /** Executes the operations that the turn requests from its client, once each. */
  async #work(chat: string, stream: EventStream): Promise<void> {
    for (let n = 0; ; n++) {
      while (n >= stream.events.length) {
        if (this.isOver(stream)) return;
        await pause(5);
      }
      const event = stream.events[n] as { type: string; id?: string; replayed?: boolean };
      if (event.type !== 'extra_tool_call' || event.replayed) continue;
      const id = event.id as string;
      this.answered.set(id, (this.answered.get(id) ?? 0) + 1);
      const body = { id, result: 'scanned' };
      for (let attempt = 0; attempt < 50; attempt++) {
        const answer = await this.kernel()
          .api.post(`/v1/chats/${chat}/ops/result`, body)
          .catch(() => ({ status: 503 }));
        if (answer.status !== 503) break;
        await pause(100);
      }
    }
  }

  async #untilTaken<Answer>(ask: (at: FleetKernel) => Promise<Answer>) {
    const until = Date.now() + PATIENCE_MS;
    for (;;) {
      const at = this.kernel();
      try {
        return { at, answer: await ask(at) };
      } catch (error) {
        if (Date.now() > until) throw error;
        await pause(100);
      }
    }
  }
}
