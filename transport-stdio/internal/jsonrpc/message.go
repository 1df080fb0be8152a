package jsonrpc

// Message is a line that has been judged. The slices are parts of the line.
type Message struct {
	// ID is the id exactly as it came; nil where none could be read.
	ID     []byte
	Method string
	// Params is the valid JSON of params, not yet known to be an object; nil
	// where there are none.
	Params []byte
	// Err, where set, is the answer.
	Err *Error
}

// Parse judges a line. Where answer is false the line is a notification or a
// response, and nothing may be sent for it.
func Parse(line Line) (m Message, answer bool) {
	if line.TooLong {
		return refused(line.ID, InvalidRequest, "Invalid Request: the message is longer than 4 MiB and was discarded"), true
	}
	s := scan{text: line.Text}
	if !s.document() {
		return refused(nil, ParseError, "Parse error: the line is not valid JSON in UTF-8"), true
	}
	text := trimSpace(line.Text)
	switch text[0] {
	case '{':
	case '[':
		return refused(nil, InvalidRequest, "Invalid Request: batches are not supported; send one message per line"), true
	default:
		return refused(nil, InvalidRequest, "Invalid Request: a message must be an object"), true
	}
	o := outlineOf(text)
	if o.silent() {
		return Message{}, false
	}
	return o.judge(&s), true
}

func refused(id []byte, code Code, message string) Message {
	return Message{ID: id, Err: &Error{Code: code, Message: message}}
}

// outline is what the members of a message say, which may be too much: a name
// can stand twice.
type outline struct {
	ids, methods, outcomes      int
	id, method, params, version []byte
	otherMethod                 bool
}

func outlineOf(object []byte) outline {
	var o outline
	for name, value := range Members(object) {
		switch string(name) {
		case "id":
			o.ids++
			o.id = value
		case "method":
			o.methods++
			o.method = value
			o.otherMethod = o.otherMethod || value[0] != '"'
		case "params":
			o.params = value
		case "jsonrpc":
			o.version = value
		case "result", "error":
			o.outcomes++
		}
	}
	return o
}

// silent reports whether the message is a notification (a method that is a
// string and no id), however malformed, or a response.
func (o outline) silent() bool {
	notification := o.ids == 0 && o.methods > 0 && !o.otherMethod
	response := o.methods == 0 && o.outcomes > 0
	return notification || response
}

// judge makes the message of a request, or the answer to a malformed one.
func (o outline) judge(s *scan) Message {
	var id []byte
	if o.ids == 1 {
		id = readableID(o.id)
	}
	version, _ := String(o.version)
	method, named := String(o.method)
	switch {
	case s.tooDeep:
		return refused(id, InvalidRequest, "Invalid Request: the message is nested deeper than 64 levels")
	case s.twice:
		return refused(id, InvalidRequest, "Invalid Request: a name stands twice in one object")
	case o.ids == 1 && id == nil:
		return refused(nil, InvalidRequest, "Invalid Request: id must be a string or an integer")
	case version != "2.0":
		return refused(id, InvalidRequest, `Invalid Request: jsonrpc must be "2.0"`)
	case !named:
		return refused(id, InvalidRequest, "Invalid Request: method is required and must be a string")
	}
	return Message{ID: id, Method: method, Params: o.params}
}

// readableID gives back an id that is a string or an integer, else nil.
func readableID(value []byte) []byte {
	if IsString(value) {
		return value
	}
	s := scan{text: value}
	if s.peek() == '-' {
		s.pos++
	}
	if s.peek() == '0' {
		s.pos++
	} else if !s.digits() {
		return nil
	}
	if s.pos != len(value) {
		return nil
	}
	return value
}
