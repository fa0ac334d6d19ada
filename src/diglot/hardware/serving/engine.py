"""The event loop of a simulated engine: one copy of a model with continuous batching.

Between two events the batch does not change, and the time of a step is linear in its contexts, so that a run
of steps is one arithmetic series: the loop turns once per arrival that is admitted and per finish, not per
token. `simulation` prepares the times and reads the results.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush


@dataclass(frozen=True, slots=True, kw_only=True)
class StepTimes:
    """Times of decode steps by the number of sequences; entry 0 is a batch of none."""

    base_s: Sequence[float]
    """Without any context."""
    per_token_s: Sequence[float]
    """For each token of the mean context."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunkTimes:
    """Times that a chunk of a prompt adds to a decode step, by the number of decoding sequences."""

    chunk_tokens: int
    least_s: Sequence[float]
    """For a chunk of one token without context."""
    whole_s: Sequence[float]
    """For a whole chunk without context."""
    per_token_s: Sequence[float]
    """For each token of context before a whole chunk."""

    def find_s(self, decoding_count: int, new_tokens: int, context_tokens: int) -> float:
        """Linear between a single token and a whole chunk."""
        share = 1.0 if self.chunk_tokens == 1 else (new_tokens - 1) / (self.chunk_tokens - 1)
        least = self.least_s[decoding_count]
        context_s = self.per_token_s[decoding_count] * context_tokens * new_tokens / self.chunk_tokens
        return least + share * (self.whole_s[decoding_count] - least) + context_s


@dataclass(frozen=True, slots=True, kw_only=True)
class Jobs:
    """What the engine is given, by the time from which each may begin."""

    ready_s: Sequence[float]
    """Infinite for those that users ask for only once they have an answer."""
    prompt_tokens: Sequence[int]
    cached_tokens: Sequence[int]
    """Tokens of each prompt that need no prefill."""
    output_tokens: Sequence[int]
    busy_s: Sequence[float]
    """Time for which a prefill occupies the engine; 0 where the cache comes from elsewhere."""
    latency_s: Sequence[float]
    """Time from the start of a prefill to its first token."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Log:
    """What happened, for each job and for each run of steps; the engine fills the lists."""

    ready_s: list[float]
    """Time from which each job might begin."""
    first_s: list[float]
    """Time of the first token; of a job whose cache comes from elsewhere, when it joins the batch."""
    finish_s: list[float]
    gap_s: list[float] = field(default_factory=list)
    """Mean time between tokens in a run of steps, with the interruption before it."""
    gap_tokens: list[int] = field(default_factory=list)
    """Tokens that came with this gap."""


class Engine:
    """One copy: a batch, the clock, and the queue. Jobs are taken first come, first served."""

    def __init__(
        self,
        jobs: Jobs,
        times: StepTimes,
        *,
        chunks: ChunkTimes | None = None,
        slots_count: int,
        capacity_tokens: float,
        pause_s: float = 0.0,
    ) -> None:
        """`capacity_tokens` have room in the cache; a job is admitted where its last token still fits.

        A pause after each finish, the next of the jobs that were not ready becomes so.
        """
        self.jobs, self.times, self.chunks = jobs, times, chunks
        self.slots_count, self.capacity_tokens, self.pause_s = slots_count, capacity_tokens, pause_s
        self.asked_count = sum(map(math.isfinite, jobs.ready_s))
        self.now_s, self.step_index = 0.0, 0
        self.decoding_count = 0
        # In the caches of all decoding sequences now, and at their ends.
        self.context_tokens, self.reserved_tokens = 0, 0
        # Since the decoding sequences had their last token; and when in this pause newcomers had their first.
        self.paused_s, self.joined_s = 0.0, list[float]()
        # Heap of (step after which it is finished, job).
        self.finishes = list[tuple[int, int]]()

    def run(self) -> Log:
        """Serve all jobs, in order, to their ends."""
        count = len(self.jobs.ready_s)
        log = Log(ready_s=list(self.jobs.ready_s), first_s=[0.0] * count, finish_s=[0.0] * count)
        place = 0
        ready_s = log.ready_s
        while place < count or self.decoding_count:
            if place < count and self.can_admit(place):
                if ready_s[place] <= self.now_s:
                    self.admit(place, log)
                    place += 1
                    continue
                if not self.decoding_count:
                    self.now_s = ready_s[place]
                    continue
                self.decode_until(ready_s[place], log)
            else:
                self.decode_until(math.inf, log)
        return log

    def can_admit(self, place: int) -> bool:
        """Whether a slot and the memory for a job are free; an empty engine takes any job."""
        if not self.decoding_count:
            return True
        jobs = self.jobs
        needed = jobs.prompt_tokens[place] + jobs.output_tokens[place]
        return (
            self.decoding_count < self.slots_count and self.reserved_tokens + needed <= self.capacity_tokens
        )

    def admit(self, place: int, log: Log) -> None:
        """Prefill, at once or in chunks that ride on decode steps; then the job decodes."""
        jobs = self.jobs
        if self.chunks is not None and jobs.busy_s[place] > 0:
            self.decode_with_chunks(place, self.chunks, log)
            log.first_s[place] = self.now_s
        else:
            log.first_s[place] = self.now_s + jobs.latency_s[place]
            self.now_s += jobs.busy_s[place]
            if self.decoding_count:
                self.paused_s += jobs.busy_s[place]
        self.joined_s.append(self.paused_s)
        self.decoding_count += 1
        self.context_tokens += jobs.prompt_tokens[place]
        self.reserved_tokens += jobs.prompt_tokens[place] + jobs.output_tokens[place]
        # The prefill gave the first token.
        heappush(self.finishes, (self.step_index + jobs.output_tokens[place] - 1, place))

    def decode_until(self, until_s: float, log: Log) -> None:
        """Decode steps to the next finish, or to the end of the step in which the clock passes `until_s`."""
        batch, slope = self.decoding_count, self.times.per_token_s[self.decoding_count]
        first_s = self.times.base_s[batch] + slope * self.context_tokens / batch
        steps = self.finishes[0][0] - self.step_index
        if until_s < self.now_s + steps * first_s + slope * steps * (steps - 1) / 2:
            steps = min(steps, count_steps(until_s - self.now_s, first_s, slope))
        taken_s = steps * first_s + slope * steps * (steps - 1) / 2
        self.advance(steps, taken_s, log)

    def decode_with_chunks(self, place: int, chunks: ChunkTimes, log: Log) -> None:
        """Steps that each take one chunk of a prompt and one token of every decoding sequence."""
        prompt, done = self.jobs.prompt_tokens[place], self.jobs.cached_tokens[place]
        while done < prompt:
            new = min(chunks.chunk_tokens, prompt - done)
            batch = self.decoding_count
            taken_s = chunks.find_s(batch, new, done)
            if batch:
                taken_s += self.times.base_s[batch]
                taken_s += self.times.per_token_s[batch] * self.context_tokens / batch
                self.advance(1, taken_s, log)
            else:
                self.now_s += taken_s
            done += new

    def advance(self, steps: int, taken_s: float, log: Log) -> None:
        """Let these steps pass for the whole batch, and the finished jobs leave."""
        batch, step_s = self.decoding_count, taken_s / steps
        if self.paused_s:
            # The first tokens after an interruption waited for it, and newcomers for the rest of it.
            log.gap_s.append(step_s + self.paused_s)
            log.gap_tokens.append(batch - len(self.joined_s))
            for joined_s in self.joined_s:
                log.gap_s.append(step_s + self.paused_s - joined_s)
                log.gap_tokens.append(1)
            self.paused_s = 0.0
            log.gap_tokens.append(batch * (steps - 1))
        else:
            log.gap_tokens.append(batch * steps)
        log.gap_s.append(step_s)
        self.joined_s.clear()
        self.now_s += taken_s
        self.step_index += steps
        self.context_tokens += batch * steps
        jobs = self.jobs
        while self.finishes and self.finishes[0][0] <= self.step_index:
            _, place = heappop(self.finishes)
            log.finish_s[place] = self.now_s
            if self.asked_count < len(log.ready_s):
                log.ready_s[self.asked_count] = self.now_s + self.pause_s
                self.asked_count += 1
            length = jobs.prompt_tokens[place] + jobs.output_tokens[place]
            self.decoding_count -= 1
            self.context_tokens -= length - 1
            self.reserved_tokens -= length


def count_steps(duration_s: float, first_s: float, growth_s: float) -> int:
    """Least number of steps that last this long, where each takes `growth_s` more than the one before.

    The series n first + growth n (n - 1) / 2, solved for n.
    """
    if duration_s <= first_s:
        return 1
    if growth_s * duration_s < 1e-9 * first_s * first_s:
        return math.ceil(duration_s / first_s)
    half = first_s - growth_s / 2
    return max(1, math.ceil((math.sqrt(half * half + 2 * growth_s * duration_s) - half) / growth_s))
