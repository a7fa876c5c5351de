// A learning platform's run-time, SCORM 2004 or 1.2, if the page runs in one: who learns, and what is reached.
const editions = {
  API_1484_11: { begin: "Initialize", get: "GetValue", set: "SetValue", commit: "Commit", end: "Terminate", student: "cmi.learner_id", score: "cmi.score", location: "cmi.location", exit: "cmi.exit" },
  API: { begin: "LMSInitialize", get: "LMSGetValue", set: "LMSSetValue", commit: "LMSCommit", end: "LMSFinish", student: "cmi.core.student_id", score: "cmi.core.score", location: "cmi.core.lesson_location", exit: "cmi.core.exit" },
};

// In the windows around, or those around the one that opened this.
function find(name) {
  for (let of of [window, window.opener]) {
    try {
      for (let up = 0; of && up < 8; up++, of = of.parent) {
        if (of[name]) return of[name];
        if (of.parent === of) break;
      }
    } catch {
      // A window of another origin has none that could be used.
    }
  }
  return null;
}

const edition = Object.keys(editions).find(find);
const platform = edition && find(edition);
const names = editions[edition];
const get = (name) => (platform ? platform[names.get](name) : "");
const set = (name, value) => platform[names.set](name, String(value));

let student = "";
// What each exercise came to, a letter each: 1 right, 0 wrong, - not answered.
let marks = "";

// Who learns, and what was reached before.
export function startCourse(number) {
  if (platform) {
    platform[names.begin]("");
    student = get(names.student);
    marks = get("cmi.suspend_data");
    set(names.exit, "suspend");
    addEventListener("pagehide", () => platform[names.end](""), { once: true });
  }
  marks = /^[01-]*$/.test(marks) ? marks.padEnd(number, "-").slice(0, number) : "-".repeat(number);
  return { student, marks, at: Number(get(names?.location ?? "")) || 0 };
}

// Notes a mark; what all of them are worth of a hundred is `reached`, `passing` is enough.
export function report(at, right, reached, passing) {
  marks = marks.slice(0, at) + (right ? "1" : "0") + marks.slice(at + 1);
  if (!platform) return;
  const [done, passed] = [!marks.includes("-"), reached >= passing];
  set(`${names.score}.min`, 0);
  set(`${names.score}.max`, 100);
  set(`${names.score}.raw`, reached);
  if (edition === "API") {
    set("cmi.core.lesson_status", passed ? "passed" : done ? "failed" : "incomplete");
  } else {
    set("cmi.score.scaled", reached / 100);
    set("cmi.completion_status", done ? "completed" : "incomplete");
    set("cmi.success_status", passed ? "passed" : done ? "failed" : "unknown");
  }
  set(names.location, at);
  set("cmi.suspend_data", marks);
  platform[names.commit]("");
}
