//! Effects as the tables write them: [`Library`](super::Library) says what each word means.
//!
//! `call key=(0[]) ~> result` is a call of what the keyword `key` gives, with the parts of argument 0, whose outcome chooses the result.

use super::{Carries, Effect, End, EndPart, Getter, Subject, WireNames};

/// One effect of an entry.
pub(super) fn effect(text: &str) -> Result<Effect, String> {
    let arrows = [
        ("=>", Carries::Objects),
        ("~>", Carries::Test),
        ("->", Carries::Computed),
    ];
    let found = arrows
        .into_iter()
        .find_map(|(arrow, carries)| Some((text.split_once(arrow)?, carries)));
    let (left, right, carries) = match found {
        Some(((left, right), carries)) => (left.trim(), Some(right.trim()), carries),
        None => (text.trim(), None, Carries::Computed),
    };
    if left == "class" {
        return Ok(Effect::ClassOf);
    }
    if let Some(of) = left.strip_prefix("instance ") {
        return end(of).map(Effect::InstanceOf);
    }
    if let Some(of) = left.strip_prefix("subclasses ") {
        return end(of).map(Effect::SubclassesOf);
    }
    if let Some(of) = left.strip_prefix("row of ") {
        return end(of).map(Effect::RowOf);
    }
    if let Some(of) = left.strip_prefix("rows ") {
        return end(of).map(Effect::RowsOf);
    }
    if let Some((keyword, given)) = left.strip_prefix("relate ").and_then(|words| words.split_once("= as ")) {
        let [keyword, given] = [keyword, given].map(|word| word.trim().to_owned());
        return Ok(Effect::Relate { keyword, given });
    }
    for (word, answers) in [("serve ", true), ("bring ", false)] {
        if let Some(served) = left.strip_prefix(word) {
            return end(served).map(|served| Effect::Serve { served, answers });
        }
    }
    if let Some(filled) = left.strip_prefix("fill ") {
        return end(filled).map(Effect::Fill);
    }
    if let Some((rows, names)) = left
        .strip_prefix("columns of ")
        .and_then(|ends| ends.split_once(" by "))
    {
        let (rows, names) = (end(rows)?, end(names)?);
        return Ok(Effect::Columns { rows, names });
    }
    if let Some(rendered) = left.strip_prefix("render ") {
        return end(rendered).map(Effect::Render);
    }
    if let "hooks read" | "hooks write" = left {
        let writes = left == "hooks write";
        return Ok(Effect::Hooks { writes });
    }
    if left == "pick" {
        return Ok(Effect::Pick);
    }
    if left == "rows" {
        return Ok(Effect::Rows);
    }
    if left == "expression" {
        let is_test = matches!(carries, Carries::Test);
        return Ok(Effect::Expression { is_test });
    }
    if left == "rename" {
        return Ok(Effect::Rename);
    }
    if left == "partial" {
        return Ok(Effect::Partial);
    }
    if left == "getter parts" {
        return Ok(Effect::Getter(Getter::Parts));
    }
    if left == "getter members" {
        return Ok(Effect::Getter(Getter::Members));
    }
    if left == "getter method" {
        return Ok(Effect::Getter(Getter::Method));
    }
    if let Some(call) = left.strip_prefix("remote ") {
        let (name, arguments) = call
            .trim_end_matches(')')
            .split_once('(')
            .ok_or("`remote` needs `(…)`")?;
        let name = name
            .trim()
            .parse()
            .map_err(|_| format!("`{text}`: which argument is the name?"))?;
        let arguments = arguments
            .split(',')
            .map(str::trim)
            .filter(|argument| !argument.is_empty());
        return Ok(Effect::Remote {
            name,
            arguments: arguments.map(end).collect::<Result<_, _>>()?,
            result: right.map(end).transpose()?,
        });
    }
    if let Some(each) = left.strip_prefix("each ") {
        let (over, into) = each.trim_end_matches(')').split_once('(').ok_or("`each` needs `(…)`")?;
        return Ok(Effect::Iterate {
            over: end(over)?,
            into: into.split(',').map(end).collect::<Result<_, _>>()?,
        });
    }
    if let Some(dropped) = left.strip_prefix("drop ") {
        return Ok(Effect::Drop(end(dropped)?));
    }
    if let Some(stirred) = left.strip_prefix("stir ") {
        return Ok(Effect::Stir(end(stirred)?));
    }
    if let Some(resized) = left.strip_prefix("resize ") {
        return Ok(Effect::Resize(end(resized)?));
    }
    let started = left.strip_prefix("start ");
    if let Some(value) = started.filter(|started| !started.contains('(')) {
        return Ok(Effect::Start(end(value)?));
    }
    if let Some(call) = started.or_else(|| left.strip_prefix("call ")) {
        let (callee, arguments) = call.trim_end_matches(')').split_once('(').ok_or("`call` needs `(…)`")?;
        let arguments: Result<Vec<End>, String> = arguments
            .split(',')
            .map(str::trim)
            .filter(|argument| !argument.is_empty())
            .map(end)
            .collect();
        let (callee, method) = match callee.rsplit_once('.') {
            Some((callee, method)) if !method.contains(']') => (callee, Some(method.to_owned())),
            _ => (callee, None),
        };
        let is_test = matches!(carries, Carries::Test);
        let (result, chooses) = match right.map(end).transpose()? {
            chosen if is_test => (None, chosen),
            result => (result, None),
        };
        return Ok(Effect::Call {
            callee: end(callee)?,
            method,
            arguments: arguments?,
            result,
            chooses,
            is_started: started.is_some(),
        });
    }
    let right = right.ok_or_else(|| format!("`{text}` has no `->`"))?;
    let by_name = |text: &str| match text.strip_prefix("columns ") {
        Some(from) => Ok::<_, String>((end(from)?, WireNames::Columns)),
        None => Ok((end(text)?, WireNames::Keys)),
    };
    if let Some(from) = left.strip_prefix("decode ") {
        let ((from, by), to) = (by_name(from)?, end(right)?);
        return Ok(Effect::Decode { from, to, by });
    }
    if let Some(from) = left.strip_prefix("encode ") {
        let ((from, by), to) = (by_name(from)?, end(right)?);
        return Ok(Effect::Encode { from, to, by });
    }
    if let Some(from) = left.strip_prefix("containers ") {
        return Ok(Effect::Move {
            from: end(from)?,
            to: end(right)?,
            carries: Carries::Containers,
        });
    }
    for (word, carries) in [("copy ", Carries::Copies), ("deepcopy ", Carries::DeepCopies)] {
        if let Some(from) = left.strip_prefix(word) {
            let (from, to) = (end(from)?, end(right)?);
            return Ok(Effect::Move { from, to, carries });
        }
    }
    Ok(Effect::Move {
        from: end(left)?,
        to: end(right)?,
        carries,
    })
}

fn end(text: &str) -> Result<End, String> {
    let text = text.trim();
    if let Some(number) = text.strip_prefix("path ") {
        let number = number.trim().parse();
        return Ok(End {
            subject: Subject::Path(number.map_err(|_| format!("`{text}`: `path` needs an argument's number"))?),
            part: EndPart::Whole,
        });
    }
    if let Some(number) = text.strip_prefix("key ") {
        let subject = match number.trim().strip_suffix('=') {
            Some(name) => Subject::KeyBy(name.to_owned()),
            None => {
                let number = number.trim().parse();
                Subject::Key(number.map_err(|_| format!("`{text}`: `key` needs an argument's number or name"))?)
            }
        };
        return Ok(End {
            subject,
            part: EndPart::Whole,
        });
    }
    if let Some(number) = text.strip_prefix("result ") {
        let number = number
            .parse()
            .map_err(|_| format!("`{text}`: `result` of which number?"))?;
        return Ok(End {
            subject: Subject::ResultAt(number),
            part: EndPart::Whole,
        });
    }
    if let Some(spread) = text.strip_prefix('*') {
        let (spread, part) = match spread.strip_prefix('*') {
            Some(spread) => (spread, EndPart::Names),
            None => (spread, EndPart::Positions),
        };
        return Ok(match spread.strip_suffix("[]") {
            Some(lists) if part == EndPart::Positions => End {
                part: EndPart::InnerPositions,
                ..end(lists)?
            },
            _ => End { part, ..end(spread)? },
        });
    }
    if let Some((subject, position)) = text.split_once('.').filter(|(subject, _)| !subject.ends_with(']'))
        && let Ok(position) = position.parse()
    {
        return Ok(End {
            part: EndPart::Position(position),
            ..end(subject)?
        });
    }
    let (subject, part) = match text.split_once('[') {
        Some((subject, "]")) if matches!(subject, "receiver" | "result") => (subject, EndPart::Parts),
        Some((subject, "]")) => (subject, EndPart::Each),
        Some((subject, "][]")) => (subject, EndPart::Inner),
        Some((subject, "target]")) => (subject, EndPart::Target),
        Some((subject, "keys]")) => (subject, EndPart::Keys),
        Some((subject, "values]")) => (subject, EndPart::Parts),
        Some((subject, "members]")) => (subject, EndPart::Members),
        Some((subject, "members within]")) => (subject, EndPart::MembersWithin),
        Some((subject, "within]")) => (subject, EndPart::Within),
        Some((subject, through)) if through.starts_with("through ") => {
            let method = through["through ".len()..].trim_end_matches(']');
            (subject, EndPart::Through(method.to_owned()))
        }
        Some((subject, "*]")) => (subject, EndPart::Same),
        Some((subject, "][*]")) => (subject, EndPart::InnerSame),
        Some((subject, "told]")) => (subject, EndPart::Told),
        Some((subject, "next]")) => (subject, EndPart::Next),
        Some((subject, "last]")) => (subject, EndPart::Last),
        Some((subject, "first]")) => (subject, EndPart::First),
        Some((subject, "option]")) => (subject, EndPart::UnderOption),
        Some((subject, "sent]")) => (subject, EndPart::Sent),
        Some((subject, "thrown]")) => (subject, EndPart::Thrown),
        Some((subject, tuple)) if tuple.starts_with("].") => {
            let position = tuple[2..]
                .parse()
                .map_err(|_| format!("`{text}`: `[].` needs a position"))?;
            (subject, EndPart::Tuple(position))
        }
        Some((subject, key)) => {
            let (key, inside) = match key.strip_suffix("][]") {
                Some(key) => (key, true),
                None => (key.trim_end_matches(']'), false),
            };
            let (number, is_name) = match key.strip_prefix("name ") {
                Some(number) => (number, true),
                None => (key, false),
            };
            let number = number.parse().map_err(|_| format!("`{text}`: what is in `[…]`?"))?;
            let part = match (inside, is_name) {
                (true, _) => EndPart::PartsUnder(number, is_name),
                (false, true) => EndPart::UnderName(number),
                (false, false) => EndPart::Under(number),
            };
            (subject, part)
        }
        None => (text, EndPart::Whole),
    };
    let subject = match subject {
        "_" => Subject::Argument(usize::MAX),
        "receiver" => Subject::Receiver,
        "result" => Subject::Result,
        "only" => Subject::Only,
        "several" => Subject::Several,
        "args" => Subject::Arguments,
        "keywords" => Subject::Keywords,
        "others" => Subject::Others,
        "row" => Subject::Row,
        "wire" => Subject::Wire,
        _ => match subject.strip_suffix('=') {
            Some(name) => Subject::Keyword(name.to_owned()),
            None => Subject::Argument(subject.parse().map_err(|_| format!("`{text}` is no end of a flow"))?),
        },
    };
    Ok(End { subject, part })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn effects_are_read_and_nonsense_is_refused() {
        assert_eq!(
            effect("0 => receiver[]"),
            Ok(Effect::Move {
                from: End {
                    subject: Subject::Argument(0),
                    part: EndPart::Whole
                },
                to: End {
                    subject: Subject::Receiver,
                    part: EndPart::Parts
                },
                carries: Carries::Objects,
            })
        );
        assert!(matches!(effect("decode 0 -> 1"), Ok(Effect::Decode { .. })));
        assert!(matches!(effect("call 0(1[]) => result[]"), Ok(Effect::Call { .. })));
        for nonsense in [
            "",
            "0",
            "0 -> somewhere",
            "key x -> result",
            "0[ -> result",
            "call 0 -> result",
        ] {
            assert!(effect(nonsense).is_err(), "{nonsense}");
        }
    }
}
