// Times as people read them. All durations are milliseconds.

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const LOW_LIVE = 20 * SECOND;
const LOW_CORRESPONDENCE = 12 * HOUR;

/** Whether so little is left that one should know. */
export function isLow(left, pace) {
  if (left === null) return false;
  return left < (pace === "correspondence" ? LOW_CORRESPONDENCE : LOW_LIVE);
}

/** A clock's face: "2d 4h", "1:02:03", "4:05", and tenths at the end: "9.4". */
export function face(left) {
  if (left === null) return "";
  const rest = Math.max(0, left);
  if (rest >= 2 * DAY) {
    return `${Math.floor(rest / DAY)}d ${Math.floor((rest % DAY) / HOUR)}h`;
  }
  if (rest < 10 * SECOND) return (Math.floor(rest / 100) / 10).toFixed(1);
  const whole = Math.ceil(rest / SECOND);
  const [hours, minutes, seconds] = [whole / 3600, (whole / 60) % 60, whole % 60].map(Math.floor);
  const two = (number) => String(number).padStart(2, "0");
  return hours ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`;
}

/** The same in words, for those who listen. */
export function spokenTime(left) {
  if (left === null) return "no time limit";
  const rest = Math.max(0, left);
  const units = [
    ["day", Math.floor(rest / DAY)],
    ["hour", Math.floor((rest % DAY) / HOUR)],
    ["minute", Math.floor((rest % HOUR) / MINUTE)],
    ["second", Math.floor((rest % MINUTE) / SECOND)],
  ];
  const first = units.findIndex(([, count]) => count);
  if (first < 0) return "no time left";
  const words = units
    .slice(first, first + 2)
    .filter(([, count]) => count)
    .map(([name, count]) => `${count} ${name}${count === 1 ? "" : "s"}`);
  return `${words.join(" ")} left`;
}

/** How long until a clock's face changes. */
export function untilNextFace(left) {
  if (left === null || left <= 0) return SECOND;
  const step = left < 10 * SECOND + 100 ? 100 : SECOND;
  return (left % step) + 5;
}

const CLOCK = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });
const CALENDAR = new Intl.DateTimeFormat(undefined, {
  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
});

/** When something happened: the hour today, else with the day. */
export function moment(at) {
  const isToday = new Date(at).toDateString() === new Date().toDateString();
  return (isToday ? CLOCK : CALENDAR).format(at);
}
